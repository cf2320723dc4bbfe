package dev.ligeiro.processor.archive;

import dev.ligeiro.processor.apply.BucketVersionStore;
import dev.ligeiro.processor.archive.MonthStore.Month;
import dev.ligeiro.processor.retain.RetentionProperties;
import dev.ligeiro.store.ArchiveFields.State;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.mongo.LeasedWork;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.beans.factory.annotation.Autowired;
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
    private static final Duration PASS_MAX = Duration.ofMinutes(2);
    private static final int PER_FILE_MAX = 50_000;
    private static final YearMonth EARLIEST = YearMonth.of(1970, 1);

    private final MonthStore months;
    private final MonthTransactionStore transactions;
    private final ArchiveFiles files;
    private final BucketVersionStore versions;
    private final ArchiveProperties properties;
    private final Duration legalPeriod;
    private final Clock clock;
    private final int perFileMax;
    private final Counter archived;
    private final Counter restored;

    @Autowired
    ArchiveMonths(
            MonthStore months,
            MonthTransactionStore transactions,
            ArchiveFiles files,
            BucketVersionStore versions,
            LeaseStore leases,
            ArchiveProperties properties,
            RetentionProperties retention,
            MeterRegistry meters,
            Clock clock) {
        this(months, transactions, files, versions, leases, properties, retention, meters, clock, PER_FILE_MAX);
    }

    /** @param perFileMax the most transactions of a file */
    ArchiveMonths(
            MonthStore months,
            MonthTransactionStore transactions,
            ArchiveFiles files,
            BucketVersionStore versions,
            LeaseStore leases,
            ArchiveProperties properties,
            RetentionProperties retention,
            MeterRegistry meters,
            Clock clock,
            int perFileMax) {
        super(leases.of("archive-lease"), LEASE, clock);
        this.months = months;
        this.transactions = transactions;
        this.files = files;
        this.versions = versions;
        this.properties = properties.requireAfter(retention);
        this.legalPeriod = retention.legalPeriod();
        this.clock = clock;
        this.perFileMax = perFileMax;
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
    protected Mono<Void> work() {
        return Mono.defer(() -> {
                    Instant now = clock.instant();
                    Pace pace = new Pace(months, properties.perSecond(), clock, PASS_MAX);
                    MoveMonth move =
                            new MoveMonth(months, transactions, files, versions, pace, clock, archived, restored);
                    return months.works(properties, now)
                            .then(pace.requireTime())
                            .thenMany(Flux.defer(() -> in(State.RESTORING)))
                            .concatMap(move::restore)
                            .thenMany(Flux.defer(() -> in(State.ARCHIVED)))
                            .filter(month -> month.removedAt() == null)
                            .concatMap(move::remove)
                            .then(Mono.defer(() -> export(
                                    new ExportMonth(months, transactions, files, legalPeriod, perFileMax, pace, clock),
                                    now)));
                })
                .onErrorComplete(Pace.Ended.class);
    }

    private Flux<Month> in(State state) {
        return months.months().collectList().flatMapIterable(all -> all).filter(month -> month.state() == state);
    }

    /** The oldest month first. One that must wait holds up no other. */
    private Mono<Void> export(ExportMonth export, Instant now) {
        YearMonth present = YearMonth.from(now.atOffset(ZoneOffset.UTC));
        return months.months().collectMap(Month::month).flatMap(known -> transactions
                .first(EARLIEST)
                .expand(month -> transactions.first(month.plusMonths(1)))
                .takeWhile(month -> properties.isOld(month, present))
                .concatMap(month -> begun(month, known, now).flatMap(export::run), 1)
                .then());
    }

    /** Empty if nothing is to be exported now. */
    private Mono<Month> begun(YearMonth month, Map<YearMonth, Month> known, Instant now) {
        @Nullable Month found = known.get(month);
        if (found == null) {
            return months.begin(month);
        }
        return switch (found.state()) {
            case EXPORTING -> found.part() == 0 ? months.beginAnew(found) : Mono.just(found);
            case WAITING -> found.due() == null || !now.isBefore(found.due()) ? months.begin(found) : Mono.empty();
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
        (failure instanceof IOException ? log.addKeyValue("detail", cause.getMessage()) : log)
                .log("A step of the archive failed; it is tried again");
    }
}
