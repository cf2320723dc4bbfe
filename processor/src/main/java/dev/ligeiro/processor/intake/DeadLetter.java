package dev.ligeiro.processor.intake;

import dev.ligeiro.processor.decide.Refusal;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record that can never be processed.
 *
 * @param detail for whoever looks at it; never personal data
 */
record DeadLetter(ConsumerRecord<byte[], byte[]> source, Refusal reason, String detail) {}
