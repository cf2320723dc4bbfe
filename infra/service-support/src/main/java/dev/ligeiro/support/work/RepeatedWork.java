package dev.ligeiro.support.work;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** A bean that repeats a pause and a run until Spring stops it. After a failure the next pause and run follow as usual. */
public abstract class RepeatedWork implements SmartLifecycle {

    private volatile Disposable runs = () -> {};
    private volatile boolean failing;
    private volatile boolean running;

    protected abstract Duration pause();

    protected abstract Mono<Void> run();

    /** Gets the first failure of an outage, so that an outage is one line in the log. */
    protected abstract void report(Throwable failure);

    @Override
    public void start() {
        running = true;
        runs = Mono.defer(() -> Mono.delay(pause()))
                .then(Mono.defer(this::run))
                .doOnSuccess(done -> failing = false)
                .onErrorResume(failure -> {
                    failed(failure);
                    return Mono.empty();
                })
                .repeat()
                .subscribe();
    }

    private void failed(Throwable failure) {
        if (!failing) {
            failing = true;
            report(failure);
        }
    }

    @Override
    public void stop() {
        running = false;
        runs.dispose();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** A random duration of {@code pause} ± this part of it, so that processes do not do the same at the same time. */
    public static Duration jittered(Duration pause, double part) {
        double factor = 1 - part + 2 * part * ThreadLocalRandom.current().nextDouble();
        return Duration.ofMillis((long) (pause.toMillis() * factor));
    }
}
