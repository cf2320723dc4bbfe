/**
 * After a restored backup: lists the transactions that Kafka's topics know in a later state than MongoDB. Serves the management port
 * only and changes nothing. Reads Kafka without a consumer group, and MongoDB by {@code _id}.
 */
@NullMarked
package dev.ligeiro.gateway.operator.records;

import org.jspecify.annotations.NullMarked;
