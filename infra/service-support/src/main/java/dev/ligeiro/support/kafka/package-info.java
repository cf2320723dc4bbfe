/**
 * Kafka as all services use it: batches that are tried again until they succeed, dead letters, sends that wait for the broker, and
 * the consumer's health. Each application class imports the configuration that it needs.
 */
@NullMarked
package dev.ligeiro.support.kafka;

import org.jspecify.annotations.NullMarked;
