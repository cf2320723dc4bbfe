package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.Topics;
import dev.ligeiro.support.kafka.DeadLetter;
import dev.ligeiro.support.kafka.DeadLetters;
import dev.ligeiro.support.kafka.IntakeProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Receives batches of events from Kafka. A malformed record becomes a dead letter. Any other failure is treated as an outage of
 * MongoDB or Kafka: the whole batch is retried without limit. Offsets are committed after the batch.
 */
@Component
class TransactionEventsListener {

    static final String ID = "transaction-events";

    private final DispatchEvents dispatchEvents;
    private final DeadLetters deadLetters;
    private final Duration batchTimeout;

    TransactionEventsListener(DispatchEvents dispatchEvents, DeadLetters deadLetters, IntakeProperties properties) {
        this.dispatchEvents = dispatchEvents;
        this.deadLetters = deadLetters;
        this.batchTimeout = properties.batchTimeout();
    }

    @KafkaListener(id = ID, idIsGroup = false, topics = Topics.EVENTS, batch = "true")
    void onBatch(List<ConsumerRecord<byte[], byte[]>> batch) {
        List<ReceivedEvent> received = new ArrayList<>(batch.size());
        List<DeadLetter> invalid = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : batch) {
            try {
                received.add(ReceivedEvent.of(record));
            } catch (InvalidMessage fault) {
                invalid.add(DeadLetter.invalid(record, fault));
            }
        }
        deadLetters.write(invalid).block(batchTimeout);
        if (!received.isEmpty()) {
            dispatchEvents.dispatch(received).block(batchTimeout);
        }
    }
}
