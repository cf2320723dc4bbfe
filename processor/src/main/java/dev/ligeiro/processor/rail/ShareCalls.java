package dev.ligeiro.processor.rail;

import static dev.ligeiro.processor.rail.CallShares.TERM;

import dev.ligeiro.processor.rail.CallShares.Share;
import dev.ligeiro.support.work.RepeatedWork;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps this processor's share of the calls that each bank account permits at once over all processors. A call starts within the share and
 * asks nobody; the shares follow what the processors want. The share of a killed processor returns when its term has ended and its last
 * call has ended too, by its time limit.
 */
@Component
class ShareCalls extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(ShareCalls.class);

    private static final Duration EVERY = Duration.ofMillis(500);

    /** While a processor wants more calls than it has. */
    private static final Duration CONTESTED = Duration.ofMillis(50);

    private static final double JITTER = 0.2;
    private static final Duration RENEW_BEFORE_END = TERM.dividedBy(5).multipliedBy(4);

    /** By this much the clocks of two processors may differ. */
    private static final Duration CLOCKS = Duration.ofSeconds(1);

    /** It starts before the commands come, and stops after the last one. */
    private static final int PHASE = 3;

    private static final Duration STOP_MAX = Duration.ofSeconds(1);

    private final List<Account> accounts;
    private final Rails rails;
    private final CallShareStore store;
    private final Clock clock;
    private final String processor = UUID.randomUUID().toString();
    private volatile boolean contested = true;

    /** What this processor may do by its last share that MongoDB has acknowledged. */
    private static final class Account {

        private final RailFacts facts;
        private final Duration callsEndAfter;
        private volatile int permitted;
        private volatile Instant until = Instant.EPOCH;

        Account(RailFacts facts) {
            this.facts = facts;
            this.callsEndAfter = facts.callTimeout().plus(CLOCKS);
        }
    }

    ShareCalls(Rails rails, CallShareStore store, MeterRegistry meters, Clock clock) {
        this.rails = rails;
        this.store = store;
        this.clock = clock;
        this.accounts = rails.shared().stream().map(Account::new).toList();
        accounts.forEach(account -> {
            gauge(meters, account, "permitted", AccountCalls::permitted, "Calls that this processor may make at once");
            gauge(meters, account, "waiting", AccountCalls::waiting, "Calls of this processor that wait for others");
        });
    }

    private void gauge(
            MeterRegistry meters, Account account, String name, ToIntFunction<AccountCalls> value, String description) {
        Gauge.builder("ligeiro.rail." + name, () -> value.applyAsInt(calls(account)))
                .description(description)
                .baseUnit("calls")
                .tag("rail", account.facts.name())
                .register(meters);
    }

    private AccountCalls calls(Account account) {
        return rails.calls(account.facts.name());
    }

    @Override
    public void start() {
        if (!accounts.isEmpty()) {
            super.start();
        }
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    protected Duration pause() {
        return jittered(contested ? CONTESTED : EVERY, JITTER);
    }

    @Override
    protected Mono<Void> run() {
        contested = false;
        return Flux.fromIterable(accounts)
                .flatMapDelayError(this::share, accounts.size(), 1)
                .then();
    }

    private Mono<Void> share(Account account) {
        // without a permitted call, no ending call would do it
        calls(account).startWaiting();
        return store.read(account.facts.name()).flatMap(shares -> share(account, shares));
    }

    private Mono<Void> share(Account account, CallShares shares) {
        Instant now = clock.instant();
        AccountCalls calls = calls(account);
        CallShares.Step step =
                shares.next(processor, account.facts.callsAtOnceMax(), account.callsEndAfter, calls.wanted(), now);
        boolean isRenewed =
                now.isAfter(account.until.minus(RENEW_BEFORE_END)) || now.isBefore(account.until.minus(TERM));
        if (!isRenewed && !step.isContested()) {
            return Mono.empty();
        }
        contested |= step.isContested();
        // first no call may start that the next share does not have, then those that are running are counted
        int running = permit(account, Math.min(account.permitted, step.fair()), account.until);
        Share next = step.share(running, now);
        int permitted = Math.min(next.held(), step.fair());
        Share stored = shares.shares().get(processor);
        if (!isRenewed && stored != null && stored.held() == next.held() && stored.wanted() >= next.wanted()) {
            permit(account, permitted, account.until);
            return Mono.empty();
        }
        return store.replace(account.facts.name(), shares, shares.with(processor, next, account.callsEndAfter, now))
                // whether it was stored is unknown, so the next share must be stored before a call starts
                .doOnError(failure -> permit(account, 0, Instant.EPOCH))
                .doOnNext(done -> {
                    if (done) {
                        permit(account, permitted, next.until());
                    } else {
                        contested = true;
                    }
                })
                .then();
    }

    /** Gives the calls that are running. */
    private int permit(Account account, int permitted, Instant until) {
        account.permitted = permitted;
        account.until = until;
        return calls(account).permit(permitted, until);
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "call_shares_failed")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log(
                        "MongoDB does not tell how many calls to banks this processor may make; without an answer they end after 10 s");
    }

    /** The others get the share at once, but for the calls that are running. If MongoDB does not answer within 1 s, the share ends by itself. */
    @Override
    public void stop(Runnable stopped) {
        super.stop();
        Flux.fromIterable(accounts)
                .flatMapDelayError(this::leave, Math.max(1, accounts.size()), 1)
                .timeout(STOP_MAX)
                .onErrorComplete()
                .doFinally(signal -> stopped.run())
                .subscribe();
    }

    private Mono<Boolean> leave(Account account) {
        int running = permit(account, 0, Instant.EPOCH);
        return Mono.defer(() -> store.read(account.facts.name()))
                .flatMap(shares -> {
                    Instant now = clock.instant();
                    Share last = new Share(running, 0, now, now);
                    return store.replace(
                            account.facts.name(), shares, shares.with(processor, last, account.callsEndAfter, now));
                })
                .filter(done -> done)
                .repeatWhenEmpty(conflicts -> conflicts);
    }
}
