/**
 * The promise behind 201: publishes commands to Kafka after an insert, for a change and for the sweeper. The stored transaction is the
 * outbox: the sweeper publishes again what no processor has accepted and what does not wait in Kafka.
 */
@NullMarked
package dev.ligeiro.gateway.publish;

import org.jspecify.annotations.NullMarked;
