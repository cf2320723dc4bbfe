package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.message.Topics;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.kafka.IntakeProperties;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.stereotype.Component;

/**
 * Receives batches of events from Kafka. While a batch waits for slow endpoints, the next ones are processed too. Offsets are committed in
 * the order of the batches, each after its deliveries are stored.
 */
@Component
class TransactionEventsListener {

    static final String ID = "transaction-events";

    /** A batch that takes longer runs beside the next ones. With less, batches of quick endpoints would be smaller and cost more CPU. */
    private static final Duration ALONE_MAX = Duration.ofMillis(50);

    private final ProcessBatch process;
    private final OverlappingContainer batches;
    private final Duration batchTimeout;

    TransactionEventsListener(ProcessBatch process, OverlappingContainer batches, IntakeProperties properties) {
        this.process = process;
        this.batches = batches;
        this.batchTimeout = properties.batchTimeout();
    }

    /** If earlier batches fail for long, a further one is refused: the container tries it again, and meanwhile stays in the group. */
    @KafkaListener(
            id = ID,
            idIsGroup = false,
            topics = Topics.EVENTS,
            batch = "true",
            ackMode = "MANUAL",
            containerPostProcessor = OverlappingContainer.NAME)
    void onBatch(List<ConsumerRecord<byte[], byte[]>> records, Acknowledgment offsets) {
        ConsumerBatches running = batches.ofThisConsumer();
        if (!running.awaitRoom(batchTimeout)) {
            throw new TransientFault("earlier batches are not stored yet", null);
        }
        EventBatch batch = running.batch(records);
        running.begin(batch, process.process(batch), () -> commit(batch, offsets), ALONE_MAX);
    }

    private static void commit(EventBatch batch, Acknowledgment offsets) {
        if (batch.isHeld()) {
            offsets.acknowledge();
        }
    }
}
