package dev.ligeiro.processor.intake;

import dev.ligeiro.message.TransactionCommand;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A command and its record, which is needed for a dead letter. */
record ReceivedCommand(TransactionCommand command, ConsumerRecord<byte[], byte[]> source) {}
