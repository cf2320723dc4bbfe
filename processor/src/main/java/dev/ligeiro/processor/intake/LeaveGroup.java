package dev.ligeiro.processor.intake;

import dev.ligeiro.support.work.RepeatedWork;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Leaves the consumer group when MongoDB has not answered for {@code ligeiro.intake.leave-group-after}, so that other processors get the
 * partitions, and joins it again when MongoDB answers. Kafka would not take them away, because heartbeats do not need MongoDB. It stops
 * before the listener, so that it does not start the listener again.
 */
@Component
class LeaveGroup extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(LeaveGroup.class);
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final PingStore mongodb;
    private final KafkaListenerEndpointRegistry listeners;
    private final Duration leaveAfter;
    private volatile long answeredNanos = System.nanoTime();
    private volatile boolean left;

    LeaveGroup(PingStore mongodb, KafkaListenerEndpointRegistry listeners, LeaveGroupProperties properties) {
        this.mongodb = mongodb;
        this.listeners = listeners;
        this.leaveAfter = properties.leaveGroupAfter();
    }

    @Override
    protected Duration pause() {
        return EVERY;
    }

    @Override
    protected Mono<Void> run() {
        return mongodb.ping()
                .thenReturn(true)
                .onErrorReturn(false)
                // starting a listener resolves host names
                .publishOn(Schedulers.boundedElastic())
                .doOnNext(isThere -> {
                    if (isThere) {
                        answered();
                    } else {
                        notAnswered();
                    }
                })
                .then();
    }

    private void answered() {
        answeredNanos = System.nanoTime();
        if (!left) {
            return;
        }
        MessageListenerContainer listener = listener();
        try {
            listener.start();
        } catch (RuntimeException unresolvedHost) {
            // it counts as running although it has no consumer
            listener.stop(() -> {});
            throw unresolvedHost;
        }
        left = false;
        LOG.atInfo()
                .addKeyValue("event.action", "group_joined")
                .log("MongoDB answers; the processor is back in its group");
    }

    private void notAnswered() {
        Duration away = Duration.ofNanos(System.nanoTime() - answeredNanos);
        MessageListenerContainer listener = listener();
        if (listener.isRunning() && away.compareTo(leaveAfter) > 0) {
            LOG.atWarn()
                    .addKeyValue("event.action", "group_left")
                    .addKeyValue("mongodb_away_s", away.toSeconds())
                    .log("MongoDB does not answer; the processor leaves its partitions to others until it does");
            listener.stop(() -> left = true);
        }
    }

    private MessageListenerContainer listener() {
        return Objects.requireNonNull(listeners.getListenerContainer(CommandListener.ID));
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "group_not_joined")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("MongoDB answers, but the listener could not be started; it is tried again");
    }
}
