package dev.ligeiro.support.work;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Repeats a pause and a piece of work until it is stopped. After a failure the next pause and run follow as usual. */
public final class RepeatedWork {

    private final Supplier<Duration> pause;
    private final Supplier<Mono<Void>> work;
    private final Consumer<Throwable> report;
    private volatile Disposable runs = () -> {};
    private volatile boolean failing;
    private volatile boolean running;

    /**
     * @param pause the pause before each run
     * @param report gets the first failure of an outage, so that an outage is one line in the log
     */
    public RepeatedWork(Supplier<Duration> pause, Supplier<Mono<Void>> work, Consumer<Throwable> report) {
        this.pause = pause;
        this.work = work;
        this.report = report;
    }

    public void start() {
        running = true;
        runs = Mono.defer(() -> Mono.delay(pause.get()))
                .then(Mono.defer(work))
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
            report.accept(failure);
        }
    }

    /** Cancels the run under way. */
    public void stop() {
        running = false;
        runs.dispose();
    }

    public boolean isRunning() {
        return running;
    }

    /** A random duration of {@code pause} ± this part of it, so that processes do not do the same at the same time. */
    public static Duration jittered(Duration pause, double part) {
        double factor = 1 - part + 2 * part * ThreadLocalRandom.current().nextDouble();
        return Duration.ofMillis((long) (pause.toMillis() * factor));
    }
}
