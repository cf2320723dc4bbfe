package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.message.Topics;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.kafka.IntakeProperties;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.event.ConsumerStoppingEvent;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.stereotype.Component;

/**
 * Receives batches of events from Kafka. While a batch waits for slow endpoints, the next ones are processed too. Offsets are committed in
 * the order of the batches, each after its deliveries are stored. Before partitions are given back, or the listener stops, it waits for the
 * batches.
 */
@Component
class TransactionEventsListener {

    static final String ID = "transaction-events";

    /** A batch that takes longer runs beside the next ones. With less, batches of quick endpoints would be smaller and cost more CPU. */
    private static final Duration ALONE_MAX = Duration.ofMillis(50);

    private final ProcessBatch process;
    private final Container container;
    private final Duration batchTimeout;

    TransactionEventsListener(ProcessBatch process, Container container, IntakeProperties properties) {
        this.process = process;
        this.container = container;
        this.batchTimeout = properties.batchTimeout();
    }

    /** If earlier batches fail for long, a further one is refused: the container tries it again, and meanwhile stays in the group. */
    @KafkaListener(
            id = ID,
            idIsGroup = false,
            topics = Topics.EVENTS,
            autoStartup = "false",
            batch = "true",
            ackMode = "MANUAL",
            containerPostProcessor = Container.NAME)
    void onBatch(List<ConsumerRecord<byte[], byte[]>> records, Acknowledgment offsets) {
        ConsumerBatches running = container.ofThisConsumer();
        if (!running.awaitRoom(batchTimeout)) {
            throw new TransientFault("earlier batches are not stored yet", null);
        }
        EventBatch batch = running.batch(records);
        running.begin(
                batch,
                process.process(batch),
                () -> {
                    if (batch.isHeld()) {
                        offsets.acknowledge();
                    }
                },
                ALONE_MAX);
    }

    /**
     * Keeps the {@link ConsumerBatches} of each consumer thread. Makes the listener's container wait for the batches before it gives
     * partitions back or stops, and commit only what the listener acknowledges. A bean of its own: the container needs it before the
     * listener.
     */
    @Component(Container.NAME)
    static class Container
            implements ContainerPostProcessor<byte[], byte[], AbstractMessageListenerContainer<byte[], byte[]>> {

        static final String NAME = "overlappingContainer";

        private static final Logger LOG = LoggerFactory.getLogger(TransactionEventsListener.class);
        private static final Duration ENDS_TIMEOUT = Duration.ofSeconds(5);

        private final DefaultErrorHandler errors;
        private final Duration batchTimeout;
        /** Each consumer thread has its own partitions, and commits their offsets. */
        private final ThreadLocal<ConsumerBatches> ofThisConsumer;

        Container(DefaultErrorHandler errors, IntakeProperties properties, ConsumerFactory<?, ?> consumers) {
            this.errors = errors;
            this.batchTimeout = properties.batchTimeout();
            Object batchMax = consumers
                    .getConfigurationProperties()
                    .getOrDefault(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, ConsumerConfig.DEFAULT_MAX_POLL_RECORDS);
            int recordsMax = Integer.parseInt(batchMax.toString());
            this.ofThisConsumer = ThreadLocal.withInitial(() -> new ConsumerBatches(recordsMax));
        }

        /** Call it on a consumer's thread. */
        ConsumerBatches ofThisConsumer() {
            return ofThisConsumer.get();
        }

        @Override
        public void postProcess(AbstractMessageListenerContainer<byte[], byte[]> container) {
            // a retried batch would be acknowledged when the listener returns; ours is stored later
            errors.setAckAfterHandle(false);
            ContainerProperties properties = container.getContainerProperties();
            properties.setConsumerRebalanceListener(new WaitForBatches((ConsumerAwareRebalanceListener)
                    Objects.requireNonNull(properties.getConsumerRebalanceListener())));
        }

        @EventListener
        void onStop(ConsumerStoppingEvent event) {
            ofThisConsumer().awaitAll(batchTimeout);
            ofThisConsumer().cancel();
        }

        /** Calls {@code next}. Spring calls the methods of a revocation for lost partitions too, after {@link #onPartitionsLost}. */
        private final class WaitForBatches implements ConsumerAwareRebalanceListener {

            private final ConsumerAwareRebalanceListener next;

            private WaitForBatches(ConsumerAwareRebalanceListener next) {
                this.next = next;
            }

            /**
             * Waits until the running batches are stored. Otherwise the new owner of the partitions stores the same deliveries as not yet
             * attempted, and their lanes attempt them again.
             */
            @Override
            public void onPartitionsRevokedBeforeCommit(
                    Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
                if (!ofThisConsumer().awaitAll(batchTimeout)) {
                    LOG.atWarn()
                            .addKeyValue("event.action", "partitions_given_back")
                            .addKeyValue("partitions", partitions.size())
                            .log(
                                    "Partitions are given back before their batches are stored; no further attempts are made for them");
                }
                ofThisConsumer().unassigned(partitions);
                next.onPartitionsRevokedBeforeCommit(consumer, partitions);
            }

            @Override
            public void onPartitionsRevokedAfterCommit(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
                next.onPartitionsRevokedAfterCommit(consumer, partitions);
            }

            /** Another process may have them already. */
            @Override
            public void onPartitionsLost(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
                ofThisConsumer().unassigned(partitions);
                next.onPartitionsLost(consumer, partitions);
            }

            @Override
            public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
                ends(consumer, partitions).forEach(ofThisConsumer()::assigned);
                next.onPartitionsAssigned(consumer, partitions);
            }

            /** The ends of the partitions. If the broker does not tell in time, no end is assumed. */
            private static Map<TopicPartition, Long> ends(
                    Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
                try {
                    return consumer.endOffsets(partitions, ENDS_TIMEOUT);
                } catch (KafkaException unknown) {
                    return partitions.stream()
                            .collect(Collectors.toMap(partition -> partition, partition -> Long.MAX_VALUE));
                }
            }
        }
    }
}
