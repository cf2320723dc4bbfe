package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.support.kafka.IntakeProperties;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.event.ConsumerStoppingEvent;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.stereotype.Component;

/**
 * Keeps the running batches of each consumer thread. Makes the listener's container wait for them before it gives partitions back or stops,
 * and commit only what the listener acknowledges.
 */
@Component(OverlappingContainer.NAME)
class OverlappingContainer
        implements ContainerPostProcessor<byte[], byte[], AbstractMessageListenerContainer<byte[], byte[]>> {

    static final String NAME = "overlappingContainer";

    private final DefaultErrorHandler errors;
    private final Duration batchTimeout;
    /** Each consumer thread has its own partitions, and commits their offsets. */
    private final ThreadLocal<RunningBatches> ofThisConsumer = ThreadLocal.withInitial(RunningBatches::new);

    OverlappingContainer(DefaultErrorHandler errors, IntakeProperties properties) {
        this.errors = errors;
        this.batchTimeout = properties.batchTimeout();
    }

    /** Call it on a consumer's thread. */
    RunningBatches ofThisConsumer() {
        return ofThisConsumer.get();
    }

    @Override
    public void postProcess(AbstractMessageListenerContainer<byte[], byte[]> container) {
        // otherwise a batch would be committed when the listener has taken it at a second call, not when it is stored
        errors.setAckAfterHandle(false);
        ContainerProperties properties = container.getContainerProperties();
        properties.setConsumerRebalanceListener(new WaitForBatches(
                (ConsumerAwareRebalanceListener) Objects.requireNonNull(properties.getConsumerRebalanceListener())));
    }

    @EventListener
    void onStop(ConsumerStoppingEvent event) {
        ofThisConsumer().awaitAll(batchTimeout);
        ofThisConsumer().cancel();
    }

    /** Calls {@code next}. Before a revocation it waits: the process that gets the partitions would repeat the attempts of running batches. */
    private final class WaitForBatches implements ConsumerAwareRebalanceListener {

        private final ConsumerAwareRebalanceListener next;

        private WaitForBatches(ConsumerAwareRebalanceListener next) {
            this.next = next;
        }

        @Override
        public void onPartitionsRevokedBeforeCommit(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
            ofThisConsumer().awaitAll(batchTimeout);
            next.onPartitionsRevokedBeforeCommit(consumer, partitions);
        }

        @Override
        public void onPartitionsRevokedAfterCommit(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
            next.onPartitionsRevokedAfterCommit(consumer, partitions);
        }

        @Override
        public void onPartitionsLost(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
            next.onPartitionsLost(consumer, partitions);
        }

        @Override
        public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
            next.onPartitionsAssigned(consumer, partitions);
        }
    }
}
