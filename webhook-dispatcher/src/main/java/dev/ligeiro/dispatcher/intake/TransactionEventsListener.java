package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Takes batches of events from Kafka. A record that is no event goes to the dead letters; any other fault is one of the
 * surroundings, and the whole batch is given again until it passes. Offsets are committed when a batch is through.
 */
@Component
class TransactionEventsListener {

    static final String ID = "transaction-events";

    /** Well below max.poll.interval.ms, so that a batch that hangs is given again by this process, not taken by another. */
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final DispatchEvents dispatchEvents;
    private final DeadLetters deadLetters;

    TransactionEventsListener(DispatchEvents dispatchEvents, DeadLetters deadLetters) {
        this.dispatchEvents = dispatchEvents;
        this.deadLetters = deadLetters;
    }

    @KafkaListener(id = ID, idIsGroup = false, topics = Topics.EVENTS, batch = "true")
    void onBatch(List<ConsumerRecord<byte[], byte[]>> batch) {
        List<ReceivedEvent> received = new ArrayList<>(batch.size());
        for (ConsumerRecord<byte[], byte[]> record : batch) {
            try {
                received.add(ReceivedEvent.of(record));
            } catch (InvalidMessage poison) {
                deadLetters.send(record, poison).block(TIMEOUT);
            }
        }
        if (!received.isEmpty()) {
            dispatchEvents.dispatch(received).block(TIMEOUT);
        }
    }
}
