/**
 * The promise behind 201: publishes commands to Kafka after an insert, for a change and for the sweeper. The stored transaction is the
 * outbox: the sweeper publishes a command again if no processor has accepted it and it does not wait in Kafka.
 */
@NullMarked
package dev.ligeiro.gateway.publish;

import org.jspecify.annotations.NullMarked;
