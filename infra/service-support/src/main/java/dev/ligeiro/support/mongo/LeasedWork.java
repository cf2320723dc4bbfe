package dev.ligeiro.support.mongo;

import dev.ligeiro.support.work.RepeatedWork;
import java.time.Clock;
import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * Repeated work that one process at a time does. The process keeps the lease between its runs, renews it while a run lasts, and hands it over
 * at its stop; a killed process is replaced at the end of the term.
 */
public abstract class LeasedWork extends RepeatedWork {

    private static final int RENEWALS_PER_TERM = 3;

    private final LeaseStore.Lease lease;
    private final Duration term;
    private final Clock clock;

    /** @param term longer than a pause */
    protected LeasedWork(LeaseStore.Lease lease, Duration term, Clock clock) {
        this.lease = lease;
        this.term = term;
        this.clock = clock;
    }

    /** What the process with the lease does. */
    protected abstract Mono<Void> work();

    /** Another process has the lease, or MongoDB does not tell who has it. */
    protected void standBy() {}

    @Override
    public final Mono<Void> run() {
        return lease.take(clock.instant(), term)
                .doOnError(unavailable -> standBy())
                .flatMap(taken ->
                        taken ? Mono.firstWithSignal(work(), renewed()) : Mono.<Void>fromRunnable(this::standBy));
    }

    /** Completes when another process has the lease, because this one was paused. The work ends then. */
    private Mono<Void> renewed() {
        return Mono.defer(() -> lease.take(clock.instant(), term))
                .onErrorComplete()
                .delaySubscription(term.dividedBy(RENEWALS_PER_TERM))
                .repeat()
                .filter(taken -> !taken)
                .next()
                .doOnNext(lost -> standBy())
                .then();
    }

    @Override
    public void stop(Runnable stopped) {
        if (!isRunning()) {
            stopped.run();
            return;
        }
        super.stop();
        lease.release().doFinally(signal -> stopped.run()).subscribe();
    }

    @Override
    public void stop() {
        stop(() -> {});
    }
}
