/**
 * Kafka's records, for the operator: lists dead letters and redrives them, and after a restored backup lists the transactions that Kafka
 * knows in a later state than MongoDB. Reads Kafka without a consumer group, and MongoDB by {@code _id}.
 */
@NullMarked
package dev.ligeiro.gateway.operator.records;

import org.jspecify.annotations.NullMarked;
