package dev.ligeiro.processor.intake;

import dev.ligeiro.message.TransactionCommand;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A command and the record it came in, which is what goes to the dead letters if need be. */
record Received(TransactionCommand command, ConsumerRecord<byte[], byte[]> source) {}
