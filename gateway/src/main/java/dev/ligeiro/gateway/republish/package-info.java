/**
 * Republishes the commands of transactions that no processor has accepted. The stored transaction serves as the outbox.
 */
@NullMarked
package dev.ligeiro.gateway.republish;

import org.jspecify.annotations.NullMarked;
