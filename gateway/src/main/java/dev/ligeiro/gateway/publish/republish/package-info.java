/**
 * Republishes the commands of transactions that no processor has accepted and that do not wait in Kafka. The stored transaction serves
 * as the outbox.
 */
@NullMarked
package dev.ligeiro.gateway.publish.republish;

import org.jspecify.annotations.NullMarked;
