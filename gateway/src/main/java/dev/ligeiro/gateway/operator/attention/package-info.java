/**
 * What needs an operator's attention: transactions with an unknown outcome, unmatched payments, breaks between the books and a rail, and how
 * far the readers of Kafka lag. Asks MongoDB over the client for long reads, and Kafka.
 */
@NullMarked
package dev.ligeiro.gateway.operator.attention;

import org.jspecify.annotations.NullMarked;
