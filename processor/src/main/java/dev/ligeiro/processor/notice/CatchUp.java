package dev.ligeiro.processor.notice;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankLists;
import dev.ligeiro.processor.rail.bank.BankLists.Span;
import dev.ligeiro.processor.rail.bank.LiveRails;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.mongo.LeasedWork;
import dev.ligeiro.support.work.Interval;
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
 * Finds what the banks' notices have not told: one processor at a time reads each bank's payments of the last 30 minutes every 5 minutes,
 * then looks at a few of the older hours, and for refunds of older payments. It reads a fixed span and keeps no mark, so payments that a bank
 * dates back are found. The processor holds a lease between its passes too. One that gets the lease begins at once: the notices since then
 * may be lost.
 */
@Component
class CatchUp extends LeasedWork {

    private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);

    /** The pause between two checks whether this processor has the lease and a bank's pass is due. After a failure it is due at once. */
    private static final Duration CHECK = Duration.ofSeconds(10);

    /** A killed processor is replaced after this time. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final LiveRails rails;
    private final BankLists lists;
    private final ReportPayments reports;
    private final CheckOlderPayments older;
    private final NoticeProperties properties;
    private final Clock clock;
    private final Map<String, Interval> passes = new ConcurrentHashMap<>();
    private final Map<String, Instant> caughtUpAt = new ConcurrentHashMap<>();

    CatchUp(
            LiveRails rails,
            BankLists lists,
            ReportPayments reports,
            CheckOlderPayments older,
            LeaseStore leases,
            NoticeProperties properties,
            MeterRegistry meters,
            Clock clock) {
        super(leases.of("notices"), LEASE, clock);
        this.rails = rails;
        this.lists = lists;
        this.reports = reports;
        this.older = older;
        this.properties = properties;
        this.clock = clock;
        rails.accounts().keySet().forEach(rail -> {
            passes.put(rail, new Interval(properties.catchUpEvery()));
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
        return CHECK.compareTo(properties.catchUpEvery()) < 0 ? CHECK : properties.catchUpEvery();
    }

    @Override
    protected Mono<Void> work() {
        return Flux.fromIterable(rails.accounts().values())
                .filter(bank -> passes(bank).begin(clock.instant()))
                // a bank that is away must not keep the others from being read
                .flatMapDelayError(this::pass, 1, 1)
                .then();
    }

    private Interval passes(BankAccount bank) {
        return requireNonNull(passes.get(bank.rail()));
    }

    Mono<Void> pass(BankAccount bank) {
        Instant to = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Span latest = new Span(bank, to.minus(properties.catchUpOf()), to);
        return lists.received("payments", latest, BankLists.ALL)
                .map(page -> ReadNotices.ofList(bank.rail(), page))
                .concatMap(page -> reports.unknown(page).flatMap(reports::publish), 0)
                .then()
                .doOnSuccess(done -> caughtUpAt.put(bank.rail(), to))
                .doOnError(failure -> passes(bank).reset())
                // a list that cannot be read must not keep the other one from being read
                .thenMany(Flux.concatDelayError(older.hours(latest), older.returned(bank)))
                .then();
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
}
