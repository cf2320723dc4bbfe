/**
 * The services' common use of Kafka: retried batches, dead letters, acknowledged sends and the health of the consumer. Each
 * application class imports the configuration that it needs.
 */
@NullMarked
package dev.ligeiro.support.kafka;

import org.jspecify.annotations.NullMarked;
