package dev.ligeiro.processor.dispute;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.message.TransactionCommand.DisputeReport;
import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.processor.apply.TransactionBatchStore;
import dev.ligeiro.processor.decide.DisputeDecisions;
import dev.ligeiro.processor.rail.RailCommandPublisher;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankLists.Span;
import dev.ligeiro.processor.rail.bank.LiveRails;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.mongo.LeasedWork;
import dev.ligeiro.support.observe.KnownGauge;
import dev.ligeiro.support.work.Interval;
import dev.ligeiro.transaction.BlockedAmount;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Transaction;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One processor at a time follows the claims of the banks that have them: every second it sends what merchants have asked for and reports news
 * to the transactions, every 5 minutes it reads the claims of the last 30 days, and older ones that are not decided.
 */
@Component
class WatchDisputes extends LeasedWork {

    private static final Logger LOG = LoggerFactory.getLogger(WatchDisputes.class);

    private static final Duration CHECK = Duration.ofSeconds(1);
    /** A killed processor is replaced after this time. */
    private static final Duration LEASE = Duration.ofSeconds(30);
    /** The pause after a bank has failed to take a defence. */
    private static final Duration DEFENSE_PAUSE = Duration.ofSeconds(10);
    /** The next copy of a report that the transaction has not learned of. */
    private static final Duration REPORT_PAUSE = Duration.ofSeconds(10);

    /** The next question for the money of a lost dispute, until the bank has moved it back or the time for that is over. */
    private static final Duration RETURN_PAUSE = Duration.ofHours(1);

    private static final Duration READ_OF = Duration.ofDays(30);
    private static final int REPORTS_AT_A_TIME = 200;

    private final List<BankAccount> banks;
    private final ReadClaims claims;
    private final SendDefenses defenses;
    private final DisputeStore store;
    private final TransactionBatchStore transactions;
    private final RailCommandPublisher publisher;
    private final Clock clock;
    private final KnownGauge open;
    private final KnownGauge deadline;
    private final Map<String, Interval> readings = new ConcurrentHashMap<>();
    private final Map<String, Interval> sendings = new ConcurrentHashMap<>();
    private final Map<Tags, Double> counts = new ConcurrentHashMap<>();
    private final Map<Tags, Double> deadlines = new ConcurrentHashMap<>();

    WatchDisputes(
            LiveRails rails,
            ReadClaims claims,
            SendDefenses defenses,
            DisputeStore store,
            TransactionBatchStore transactions,
            RailCommandPublisher publisher,
            LeaseStore leases,
            @Value("${ligeiro.notices.catch-up-every}") Duration readEvery,
            MeterRegistry meters,
            Clock clock) {
        super(leases.of("disputes"), LEASE, clock);
        this.banks = rails.accounts().values().stream()
                .filter(bank -> bank.properties().claims())
                .toList();
        this.claims = claims;
        this.defenses = defenses;
        this.store = store;
        this.transactions = transactions;
        this.publisher = publisher;
        this.clock = clock;
        this.open = new KnownGauge(
                meters,
                "ligeiro.disputes.open",
                "Disputes that the rail has not decided: open, defended, or unmatched (no transaction can take them)",
                null);
        this.deadline = new KnownGauge(
                meters,
                "ligeiro.disputes.deadline",
                "Until the next deadline of a dispute without a defence; +Inf without one",
                "seconds");
        banks.forEach(bank -> {
            readings.put(bank.rail(), new Interval(readEvery));
            sendings.put(bank.rail(), new Interval(DEFENSE_PAUSE));
        });
    }

    @Override
    public void start() {
        if (!banks.isEmpty()) {
            super.start();
        }
    }

    @Override
    protected Duration pause() {
        return CHECK;
    }

    @Override
    protected void standBy() {
        counts.clear();
        open.known(Map.of());
        deadlines.clear();
        deadline.known(Map.of());
    }

    @Override
    protected Mono<Void> work() {
        return Flux.fromIterable(banks)
                // a bank that is away must not keep the others from being read
                .flatMapDelayError(this::check, 1, 1)
                .then();
    }

    Mono<Void> check(BankAccount bank) {
        return Flux.concatDelayError(sent(bank), read(bank), reported(bank)).then();
    }

    /** After a failure it is paused, because the bank may be away for hours. */
    private Mono<Void> sent(BankAccount bank) {
        Interval sending = requireNonNull(sendings.get(bank.rail()));
        return Mono.defer(() ->
                sending.begin(clock.instant()) ? defenses.to(bank).doOnSuccess(done -> sending.reset()) : Mono.empty());
    }

    /** What MongoDB has is counted although the bank is away: a deadline comes near meanwhile. */
    private Mono<Void> read(BankAccount bank) {
        Interval reading = requireNonNull(readings.get(bank.rail()));
        return Mono.defer(() -> reading.begin(clock.instant())
                ? Flux.concatDelayError(readAll(bank), counted(bank.rail()), Mono.defer(() -> deadline(bank.rail())))
                        .then()
                : Mono.empty());
    }

    private Mono<Void> readAll(BankAccount bank) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Instant usual = now.minus(READ_OF);
        return store.oldestUndecided(bank.rail())
                .map(oldest -> oldest.isBefore(usual) ? oldest.truncatedTo(ChronoUnit.SECONDS) : usual)
                .defaultIfEmpty(usual)
                // the bank's clock may be ahead
                .flatMap(from -> claims.of(new Span(bank, from, now.plus(Duration.ofMinutes(1)))));
    }

    private Mono<Void> counted(String rail) {
        return store.counts(rail).doOnNext(found -> count(rail, found)).then();
    }

    private void count(String rail, Map<String, Long> found) {
        for (String state : List.of("open", "defended", "unmatched")) {
            counts.put(Tags.of("rail", rail, "state", state), (double) found.getOrDefault(state, 0L));
        }
        open.known(new HashMap<>(counts));
    }

    private Mono<Void> deadline(String rail) {
        Instant now = now();
        return store.nextDeadline(rail, now)
                .map(next -> (double) Duration.between(now, next).toSeconds())
                .defaultIfEmpty(Double.POSITIVE_INFINITY)
                .doOnNext(seconds -> {
                    deadlines.put(Tags.of("rail", rail), seconds);
                    deadline.known(new HashMap<>(deadlines));
                })
                .then();
    }

    private Mono<Void> reported(BankAccount bank) {
        return Flux.defer(() -> store.toReport(bank.rail(), now(), REPORTS_AT_A_TIME))
                .concatMapDelayError(this::report)
                .then();
    }

    /** What the transaction does not know is sent again until it does, so that no report is lost by a crash between two writes. */
    private Mono<Void> report(StoredDispute dispute) {
        if (dispute.tenant() == null || dispute.transactionId() == null) {
            return store.known(dispute);
        }
        DisputeReport report = new DisputeReport(dispute.tenant(), dispute.transactionId(), dispute.id());
        return transactions.load(List.of(report), ProcessorMemoryBudget.LISTED).flatMap(loaded -> {
            Transaction transaction = loaded.find(report.transactionId()).orElse(null);
            if (transaction != null && DisputeDecisions.tellsSomethingNew(transaction, dispute, now())) {
                return store.save(dispute.withReportAt(now().plus(REPORT_PAUSE)))
                        .then(publisher.publish(report))
                        .then(dispute.status() == Dispute.Status.LOST ? askRail(dispute, report) : Mono.empty());
            }
            return transaction != null && BlockedAmount.waitsForReturn(transaction, dispute.id())
                    ? askRail(dispute, report).then(store.reportAgain(dispute, now().plus(RETURN_PAUSE)))
                    : store.known(dispute);
        });
    }

    /** The bank moves the money of a lost dispute back by itself, and its notice may be lost. */
    private Mono<Void> askRail(StoredDispute dispute, DisputeReport report) {
        return publisher.publish(new RailNotice(report.transactionId(), dispute.rail(), dispute.endToEndId(), null));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "disputes_unread")
                .addKeyValue(
                        "cause",
                        RailFault.describe(Exceptions.unwrapMultiple(failure).get(0)))
                .log("A bank's claims were not read, or a defence not sent; it is tried again");
    }
}
