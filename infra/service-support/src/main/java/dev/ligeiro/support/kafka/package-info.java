/**
 * The services' common use of Kafka: retried batches, dead letters, acknowledged sends, the health of the consumer and its progress. Each
 * application class imports the configuration that it needs.
 */
@NullMarked
package dev.ligeiro.support.kafka;

import org.jspecify.annotations.NullMarked;
