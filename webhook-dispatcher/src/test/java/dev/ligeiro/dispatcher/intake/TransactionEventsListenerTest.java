package dev.ligeiro.dispatcher.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.Topics;
import dev.ligeiro.support.kafka.IntakeProperties;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.event.ConsumerStoppingEvent;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** What a consumer whose batch cannot be stored does when its partitions go to another process. */
class TransactionEventsListenerTest {

    private static final TopicPartition PARTITION = new TopicPartition(Topics.EVENTS, 0);
    private static final List<TopicPartition> PARTITIONS = List.of(PARTITION);

    private final ConsumerFactory<byte[], byte[]> consumers = new DefaultKafkaConsumerFactory<>(Map.of());
    private final TransactionEventsListener.Container container = new TransactionEventsListener.Container(
            new DefaultErrorHandler(),
            new IntakeProperties(Duration.ofMillis(1), Duration.ofSeconds(1), Duration.ofSeconds(1)),
            consumers);
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final ConsumerAwareRebalanceListener rebalances = rebalances();
    private final ConsumerRecord<byte[], byte[]> repeated = record(9);
    private final ConsumerRecord<byte[], byte[]> event = record(10);
    private final Sinks.Empty<Void> stored = Sinks.empty();
    private final AtomicBoolean committed = new AtomicBoolean();

    @Test
    void aBatchThatOutlastsARevocationMakesNoFurtherAttemptAndIsNotCommitted() {
        EventBatch batch = begin();
        rebalances.onPartitionsRevokedBeforeCommit(consumer, PARTITIONS);

        assertThat(batch.mayAttempt(event)).isFalse();
        stored.tryEmitEmpty();
        assertThat(committed).isFalse();
    }

    /** Spring calls the methods of a revocation afterwards, which wait for the batch. */
    @Test
    void aBatchWhosePartitionsAreLostMakesNoFurtherAttemptAndIsNotCommitted() {
        EventBatch batch = begin();
        rebalances.onPartitionsLost(consumer, PARTITIONS);

        assertThat(batch.mayAttempt(event)).isFalse();
        stored.tryEmitEmpty();
        assertThat(committed).isFalse();
    }

    /** Spring revokes the partitions when the consumer stops. An exception would be logged as an error. */
    @Test
    void aBatchThatOutlastsAStopIsNoErrorOfTheRevocation() {
        begin();
        container.onStop(new ConsumerStoppingEvent(this, this, consumer, PARTITIONS));
        rebalances.onPartitionsRevokedBeforeCommit(consumer, PARTITIONS);

        stored.tryEmitEmpty();
        assertThat(committed).isFalse();
    }

    @Test
    void aBatchThatEndsDuringARevocationIsCommitted() {
        begin();
        stored.tryEmitEmpty();
        rebalances.onPartitionsRevokedBeforeCommit(consumer, PARTITIONS);
        assertThat(committed).isTrue();
    }

    /** As the listener does. */
    private EventBatch begin() {
        EventBatch batch = batch();
        container
                .ofThisConsumer()
                .begin(batch, stored.asMono().then(Mono.empty()), () -> committed.set(batch.isHeld()), Duration.ZERO);
        return batch;
    }

    /** The batch that follows the assignment, on this thread, which is the consumer's. */
    private EventBatch batch() {
        consumer.updateEndOffsets(Map.of(PARTITION, 10L));
        rebalances.onPartitionsAssigned(consumer, PARTITIONS);
        return container.ofThisConsumer().batch(List.of(repeated, event));
    }

    private ConsumerAwareRebalanceListener rebalances() {
        ContainerProperties properties = new ContainerProperties(Topics.EVENTS);
        properties.setConsumerRebalanceListener(new ConsumerAwareRebalanceListener() {});
        ConcurrentMessageListenerContainer<byte[], byte[]> spring =
                new ConcurrentMessageListenerContainer<>(consumers, properties);
        container.postProcess(spring);
        return (ConsumerAwareRebalanceListener)
                Objects.requireNonNull(spring.getContainerProperties().getConsumerRebalanceListener());
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset) {
        return new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, new byte[0], new byte[0]);
    }
}
