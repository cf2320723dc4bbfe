package dev.ligeiro.processor.notice;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.processor.notice.ReadPayments.Span;
import dev.ligeiro.processor.rail.LiveRails;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.support.work.RepeatedWork;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds what the banks' notices have not told: one processor at a time reads the payments of the last 30 minutes
 * again. It reads a fixed span and keeps no mark, so payments that a bank dates back are found. Each pass
 * also asks for the number of payments in a few of the older hours, up to 72, and reads an hour whose number has changed.
 */
@Component
class CatchUp extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final double JITTER = 0.1;

    /** When the latest payments could not be read. */
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(10);

    /** The older hours of a pass, until the first that must be read. With passes every 5 minutes, each hour has its look every 2 hours. */
    private static final int OLDER_HOURS = 3;

    /** After each page of an older hour, which is not urgent: 1,000 payments a second. */
    private static final Duration OLDER_PAUSE = Duration.ofMillis(100);

    private final LiveRails rails;
    private final ReadPayments payments;
    private final CatchUpLeaseStore lease;
    private final OlderHoursStore olderHours;
    private final NoticeProperties properties;
    private final Clock clock;
    private final Map<String, Instant> caughtUpAt = new ConcurrentHashMap<>();
    private volatile Duration pause = FIRST_PAUSE;

    CatchUp(
            LiveRails rails,
            ReadPayments payments,
            CatchUpLeaseStore lease,
            OlderHoursStore olderHours,
            NoticeProperties properties,
            MeterRegistry meters,
            Clock clock) {
        this.rails = rails;
        this.payments = payments;
        this.lease = lease;
        this.olderHours = olderHours;
        this.properties = properties;
        this.clock = clock;
        rails.accounts().keySet().forEach(rail -> {
            caughtUpAt.put(rail, clock.instant());
            Gauge.builder("ligeiro.rail.catch.up.age", () -> age(rail))
                    .description("Time since this processor has read the rail's payments again, or since its start")
                    .baseUnit("seconds")
                    .tag("rail", rail)
                    .register(meters);
        });
    }

    private long age(String rail) {
        return Duration.between(requireNonNull(caughtUpAt.get(rail)), clock.instant())
                .toSeconds();
    }

    @Override
    public void start() {
        if (!rails.accounts().isEmpty()) {
            super.start();
        }
    }

    @Override
    protected Duration pause() {
        Duration next = pause;
        pause = jittered(properties.catchUpEvery(), JITTER);
        return next;
    }

    @Override
    protected Mono<Void> run() {
        return lease.take(clock.instant(), properties.catchUpEvery().multipliedBy(2))
                .doOnError(this::retrySoon)
                .filter(taken -> taken)
                .flatMapMany(taken -> Flux.fromIterable(rails.accounts().entrySet()))
                // a bank that is away must not keep the others from being read
                .flatMapDelayError(account -> check(account.getKey(), account.getValue()), 1, 1)
                .then();
    }

    private void retrySoon(Throwable failure) {
        pause = pause.compareTo(RETRY_PAUSE) < 0 ? pause : RETRY_PAUSE;
    }

    private Mono<Void> check(String rail, BankAccount bank) {
        Instant to = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Instant from = to.minus(properties.catchUpOf());
        Mono<Void> latest = payments.publish(new Span(rail, bank, from, to), Duration.ZERO)
                .doOnSuccess(done -> caughtUpAt.put(rail, to));
        return latest.doOnError(this::retrySoon).then(older(rail, bank, to, from));
    }

    private Mono<Void> older(String rail, BankAccount bank, Instant now, Instant end) {
        return olderHours
                .read(rail)
                .flatMapIterable(
                        known -> known.inOrder(now, end).limit(OLDER_HOURS).toList())
                .concatMap(hour -> look(new Span(rail, bank, hour, hour.plus(1, ChronoUnit.HOURS))))
                .takeUntil(wasRead -> wasRead)
                .then();
    }

    /** Whether the hour had to be read. */
    private Mono<Boolean> look(Span hour) {
        return Mono.zip(olderHours.read(hour.rail()), payments.count(hour)).flatMap(found -> {
            OlderHours known = found.getT1();
            long count = found.getT2();
            boolean isRead = known.isRead(hour.from(), count);
            return (isRead ? Mono.<Void>empty() : read(hour, count))
                    .then(Mono.defer(() -> olderHours.write(
                            hour.rail(), known.with(hour.from(), new OlderHours.Look(count, clock.instant())))))
                    .thenReturn(!isRead);
        });
    }

    private Mono<Void> read(Span hour, long count) {
        return payments.publish(hour, OLDER_PAUSE).doOnSuccess(done -> LOG.atInfo()
                .addKeyValue("event.action", "hour_read_again")
                .addKeyValue("rail", hour.rail())
                .addKeyValue("hour", hour.from())
                .addKeyValue("payments", count)
                .log("The bank had another number of payments in this hour than at the last look, so they were read"));
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "catch_up_failed")
                .addKeyValue(
                        "cause",
                        RailFault.describe(Exceptions.unwrapMultiple(failure).get(0)))
                .log("A bank's payments were not read again; the next pass does it");
    }

    /** Another processor goes on at once if MongoDB answers within 1 s. */
    @Override
    public void stop() {
        if (isRunning()) {
            super.stop();
            lease.release().timeout(FIRST_PAUSE).onErrorComplete().subscribe();
        }
    }
}
