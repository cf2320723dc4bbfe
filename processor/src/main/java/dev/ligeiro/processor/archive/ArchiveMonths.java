package dev.ligeiro.processor.archive;

import dev.ligeiro.processor.apply.BucketVersionStore;
import dev.ligeiro.processor.archive.MonthStore.Month;
import dev.ligeiro.processor.retain.Pace;
import dev.ligeiro.processor.retain.RetentionProperties;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.ArchiveFields.State;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.mongo.LeasedWork;
import dev.ligeiro.support.observe.KnownGauge;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Archives old months, in passes, at a bounded rate: first the months that operators want back, then the transactions that are in files and still
 * in MongoDB, then the files of further months. Each step leaves the month as it was or in the next state, so a crash between any two writes
 * repeats a step.
 */
@Component
@ConditionalOnProperty("ligeiro.archive.to")
class ArchiveMonths extends LeasedWork {

    private static final Logger LOG = LoggerFactory.getLogger(ArchiveMonths.class);

    /** How soon an operator's request is noticed while nothing is done. */
    private static final Duration EVERY = Duration.ofSeconds(15);

    private static final double JITTER = 0.2;
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final YearMonth EARLIEST = YearMonth.of(1970, 1);

    private final MonthStore months;
    private final PartStore parts;
    private final CountStore counts;
    private final MonthTransactionStore transactions;
    private final BucketVersionStore versions;
    private final LeaseStore leases;
    private final ArchiveProperties properties;
    private final Duration legalPeriod;
    private final Clock clock;
    private final KnownGauge behind;
    private final Counter archived;
    private final Counter restored;

    ArchiveMonths(
            MonthStore months,
            PartStore parts,
            CountStore counts,
            MonthTransactionStore transactions,
            BucketVersionStore versions,
            LeaseStore leases,
            ArchiveProperties properties,
            RetentionProperties retention,
            MeterRegistry meters,
            Clock clock) {
        super(leases.of("archive-lease"), LEASE, clock);
        this.months = months;
        this.parts = parts;
        this.counts = counts;
        this.transactions = transactions;
        this.versions = versions;
        this.leases = leases;
        this.properties = properties.requireAfter(retention);
        this.legalPeriod = retention.legalPeriod();
        this.clock = clock;
        this.behind = new KnownGauge(
                meters,
                "ligeiro.archive.behind",
                "Time since the oldest month in MongoDB should have left; 0 without one",
                "seconds");
        this.archived = Counter.builder("ligeiro.archived")
                .description("Transactions that were removed from MongoDB, because they are in verified files")
                .baseUnit("transactions")
                .register(meters);
        this.restored = Counter.builder("ligeiro.restored")
                .description("Transactions of archived months that were inserted into MongoDB again")
                .baseUnit("transactions")
                .register(meters);
    }

    @Override
    protected Duration pause() {
        return jittered(EVERY, JITTER);
    }

    @Override
    protected void standBy() {
        behind.unknown();
    }

    @Override
    protected Mono<Void> work() {
        return Mono.defer(() -> {
            Instant now = clock.instant();
            return months.works(properties, now)
                    .then(overdue(now))
                    // before the question for a pause, so that a long one is seen
                    .doOnNext(overdue -> behind.known(
                            overdue.isEmpty()
                                    ? 0
                                    : Duration.between(properties.leavesAt(overdue.get(0)), now)
                                            .toSeconds()))
                    .flatMap(this::pass)
                    .onErrorComplete(Pace.Ended.class);
        });
    }

    /** The months that should have left and have transactions in MongoDB, the oldest first, without those that operators wanted back. */
    private Mono<List<YearMonth>> overdue(Instant now) {
        return months.all()
                .filter(month -> month.state() == State.RESTORED)
                .map(Month::month)
                .collectList()
                .flatMap(wanted -> transactions
                        .first(EARLIEST)
                        .expand(month -> transactions.first(month.plusMonths(1)))
                        .takeWhile(month -> !now.isBefore(properties.leavesAt(month)))
                        .filter(month -> !wanted.contains(month))
                        .collectList());
    }

    private Mono<Void> pass(List<YearMonth> overdue) {
        Pace pace = new Pace(leases.isPaused(ArchiveFields.WORK), properties.perSecond(), clock);
        MoveMonth move = new MoveMonth(months, parts, transactions, versions, pace, clock, archived, restored);
        ExportMonth export =
                new ExportMonth(months, parts, counts, transactions, properties.perFile(), legalPeriod, pace, clock);
        return pace.requireTime()
                .then(parts.requireFolder())
                .thenMany(Flux.defer(() -> in(State.RESTORING)))
                .concatMap(move::restore)
                .thenMany(Flux.defer(() -> in(State.ARCHIVED)))
                .filter(month -> month.removedAt() == null)
                .concatMap(move::remove)
                .then(months.all().collectMap(Month::month))
                // one that must wait holds up no other
                .flatMapMany(known -> Flux.fromIterable(overdue)
                        .concatMap(month -> begun(month, known.get(month)).flatMap(export::run), 1))
                .then();
    }

    private Flux<Month> in(State state) {
        return months.all().collectList().flatMapIterable(all -> all).filter(month -> month.state() == state);
    }

    /** Empty if nothing is to be exported now. */
    private Mono<Month> begun(YearMonth month, @Nullable Month found) {
        if (found == null) {
            return months.begin(month);
        }
        return switch (found.state()) {
            case EXPORTING -> Mono.just(found);
            case WAITING ->
                found.due() == null || !clock.instant().isBefore(found.due()) ? months.begin(found) : Mono.empty();
            case ARCHIVED, RESTORING, RESTORED -> Mono.empty();
        };
    }

    @Override
    protected void report(Throwable failure) {
        Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
        LoggingEventBuilder log = LOG.atWarn()
                .addKeyValue("event.action", "archive_failed")
                .addKeyValue("cause", cause.getClass().getSimpleName());
        // that of a folder or bucket names files, and no personal data
        (failure instanceof IOException || cause instanceof IOException
                        ? log.addKeyValue("detail", cause.getMessage())
                        : log)
                .log("A step of the archive failed; it is tried again");
    }
}
