package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.message.TransactionEvent;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** An event and the record it came in, which is needed should it turn out to be poison. */
record ReceivedEvent(ConsumerRecord<byte[], byte[]> record, TransactionEvent event) {}
