/**
 * The processor reads commands from Kafka, calls payment rails, updates transactions in MongoDB and sends events to Kafka. It is the
 * only service that changes a stored transaction.
 *
 * <p>Packages: {@code intake} runs the flow and calls {@code decide} (pure decisions), {@code rail} (payment networks) and
 * {@code apply} (MongoDB), and sends the events to Kafka. {@code due} finds the transactions that are due and sends commands for them.
 * {@code books} keeps the books of what the events say. {@code retain} removes personal data of old transactions.
 */
@NullMarked
package dev.ligeiro.processor;

import org.jspecify.annotations.NullMarked;
