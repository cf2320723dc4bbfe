package dev.ligeiro.support.kafka;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.listener.MessageListenerContainer;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * Creates the service's topics, if it has some, then starts its listeners, which do not start by themselves. In the other order a broker could
 * create the topics with its default number of partitions. While Kafka is unavailable, or its name is not known, it retries, and the
 * service is not ready.
 */
class StartIntake implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(StartIntake.class);
    private static final Duration FIRST_DELAY = Duration.ofMillis(500);

    private final KafkaAdmin admin;
    private final KafkaListenerEndpointRegistry listeners;
    private final IntakeProperties properties;
    private final Disposable.Swap attempts = Disposables.swap();
    private volatile boolean running;

    StartIntake(KafkaAdmin admin, KafkaListenerEndpointRegistry listeners, IntakeProperties properties) {
        this.admin = admin;
        this.listeners = listeners;
        this.properties = properties;
    }

    @Override
    public void start() {
        running = true;
        attempts.update(Mono.fromRunnable(this::createTopicsAndListen)
                .subscribeOn(Schedulers.boundedElastic())
                .retryWhen(Retry.backoff(Long.MAX_VALUE, FIRST_DELAY)
                        .maxBackoff(properties.retryDelayMax())
                        .doBeforeRetry(retry -> LOG.atWarn()
                                .addKeyValue("event.action", "intake_not_started")
                                .addKeyValue("attempt", retry.totalRetries() + 1)
                                .addKeyValue(
                                        "cause",
                                        NestedExceptionUtils.getMostSpecificCause(retry.failure())
                                                .toString())
                                .log("The listeners could not be started; the service tries again")))
                .subscribe());
    }

    /** Runs before the listener stops, so that a retry does not start it again. */
    @Override
    public void stop() {
        running = false;
        attempts.dispose();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    private void createTopicsAndListen() {
        admin.initialize();
        listeners.getListenerContainers().forEach(this::start);
    }

    /** A container whose start has failed counts as running: it must stop before it can start. */
    private void start(MessageListenerContainer container) {
        if (!running) {
            return;
        }
        try {
            container.start();
        } catch (RuntimeException failed) {
            container.stop();
            throw failed;
        }
    }
}
