package dev.ligeiro.processor.reconcile;

import dev.ligeiro.message.Topics;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.LiveRails;
import dev.ligeiro.processor.reconcile.Compared.Booked;
import dev.ligeiro.processor.reconcile.Compared.Match;
import dev.ligeiro.processor.reconcile.Compared.Movement;
import dev.ligeiro.processor.reconcile.ListProgress.Due;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.mongo.LeasedWork;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Compares the books with the lists of each bank, hour by hour; one processor at a time does it. Each hour is read twice, and then the bank is
 * asked about each posting that its lists did not have. What differs becomes a break; money is never moved. An hour that was read in part is
 * read again, which changes nothing. The simulator is not compared: its ledger is ours, and there is no other side that could differ.
 */
@Component
@ConditionalOnBooleanProperty(
        name = {"ligeiro.books.enabled", "ligeiro.reconcile.enabled"},
        matchIfMissing = true)
class ReconcileRails extends LeasedWork {

    private static final Logger LOG = LoggerFactory.getLogger(ReconcileRails.class);

    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final double JITTER = 0.2;

    /** A killed processor is replaced after this time. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    /** So many postings at once are asked about. */
    private static final int ASKED = 100;

    private final Collection<BankAccount> banks;
    private final BankMovements movements;
    private final BookedStore booked;
    private final BreakStore breaks;
    private final LeaseStore leases;
    private final Function<Instant, Mono<Boolean>> booksHavePassed;
    private final ReconcileMetrics metrics;
    private final ReconcileProperties properties;
    private final Clock clock;

    @Autowired
    ReconcileRails(
            LiveRails rails,
            BankMovements movements,
            BookedStore booked,
            BreakStore breaks,
            LeaseStore leases,
            CommittedOffsets offsets,
            @Value("${ligeiro.books.consumer-group}") String books,
            ReconcileMetrics metrics,
            ReconcileProperties properties,
            Clock clock) {
        this(
                rails,
                movements,
                booked,
                breaks,
                leases,
                time -> offsets.hasPassed(books, Topics.EVENTS, time),
                metrics,
                properties,
                clock);
    }

    /** @param booksHavePassed whether the books have all events that Kafka had at a time */
    ReconcileRails(
            LiveRails rails,
            BankMovements movements,
            BookedStore booked,
            BreakStore breaks,
            LeaseStore leases,
            Function<Instant, Mono<Boolean>> booksHavePassed,
            ReconcileMetrics metrics,
            ReconcileProperties properties,
            Clock clock) {
        super(leases.of("reconcile-lease"), LEASE, clock);
        this.banks = rails.accounts().values();
        this.movements = movements;
        this.booked = booked;
        this.breaks = breaks;
        this.leases = leases;
        this.booksHavePassed = booksHavePassed;
        this.metrics = metrics;
        this.properties = properties;
        this.clock = clock;
    }

    @Override
    public void start() {
        if (!banks.isEmpty()) {
            super.start();
        }
    }

    @Override
    protected Duration pause() {
        return jittered(EVERY, JITTER);
    }

    @Override
    protected void standBy() {
        metrics.unknown();
    }

    /** A bank that is away must not keep the others from being compared. */
    @Override
    protected Mono<Void> work() {
        return measure()
                .thenMany(Flux.fromIterable(banks))
                .flatMapDelayError(this::pass, 1, 1)
                .then()
                .doOnError(failure -> metrics.unknown());
    }

    private Mono<Void> measure() {
        Instant now = clock.instant();
        return Flux.fromIterable(banks)
                .concatMap(bank -> progress(bank, now).map(read -> Map.entry(bank.rail(), read.again())))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .zipWith(breaks.open())
                .doOnNext(found -> metrics.measured(found.getT1(), found.getT2(), now))
                .then();
    }

    /** Reads the hours that are due, one after the other. Without the books' postings an hour would be full of breaks, so it waits for them. */
    Mono<Void> pass(BankAccount bank) {
        return Mono.defer(() -> progress(bank, clock.instant()))
                .flatMap(read -> Mono.justOrEmpty(read.due(clock.instant(), properties)))
                .filterWhen(due -> booksHavePassed.apply(clock.instant().minus(properties.hourAfter())))
                .flatMap(due -> compareHour(bank, due)
                        .then(due.endsDaysUntil() == null ? Mono.empty() : askAbout(bank, due, due.endsDaysUntil()))
                        .then(write(bank, due.after()))
                        .then(Mono.defer(this::measure))
                        .thenReturn(true))
                .defaultIfEmpty(false)
                .repeat()
                .takeWhile(wasDue -> wasDue)
                .then();
    }

    /** Begins at {@code now} if there is none. */
    private Mono<ListProgress> progress(BankAccount bank, Instant now) {
        return leases.progress(ListProgress.id(bank.rail()), ListProgress.class).switchIfEmpty(Mono.defer(() -> {
            ListProgress begun = ListProgress.at(now);
            return write(bank, begun).thenReturn(begun);
        }));
    }

    private Mono<Void> write(BankAccount bank, ListProgress progress) {
        return leases.setProgress(ListProgress.id(bank.rail()), ListProgress.class, progress);
    }

    private Mono<Void> compareHour(BankAccount bank, Due due) {
        return movements
                .hour(bank, due.hour())
                .concatMap(
                        page -> booked.find(bank.rail(), ids(page))
                                .map(found ->
                                        Compared.of(page, found, due.after().since()))
                                .flatMap(compared -> store(bank.rail(), compared))
                                .map(opened -> new Counted(page.size(), opened)),
                        1)
                .reduce(Counted::plus)
                .doOnNext(counted -> LOG.atInfo()
                        .addKeyValue("event.action", "hour_compared")
                        .addKeyValue("rail", bank.rail())
                        .addKeyValue("hour", due.hour())
                        .addKeyValue("movements", counted.movements())
                        .addKeyValue("breaks", counted.breaks())
                        .log("An hour of a rail's list was compared with the books"))
                .then();
    }

    private static Set<String> ids(List<Movement> movements) {
        return movements.stream().flatMap(movement -> movement.ids().stream()).collect(Collectors.toSet());
    }

    /** @param breaks how many were opened */
    private record Counted(long movements, long breaks) {

        Counted plus(Counted other) {
            return new Counted(movements + other.movements, breaks + other.breaks);
        }
    }

    /**
     * Asks the bank about the postings that its lists did not have: a refund of an older payment is in the list of that payment's day, and a
     * bank may have dated a payment back. Each posting is asked about once: it is found, or becomes a break.
     */
    private Mono<Void> askAbout(BankAccount bank, Due due, Instant until) {
        return Mono.defer(() -> booked.unreconciled(bank.rail(), due.after().since(), until, ASKED))
                .filter(asked -> !asked.isEmpty())
                .flatMap(asked -> movements
                        .find(bank, asked)
                        .collectList()
                        .flatMap(found -> compareAsked(bank.rail(), asked, found))
                        .flatMap(compared -> store(bank.rail(), compared))
                        .thenReturn(true))
                .defaultIfEmpty(false)
                .repeat()
                .takeWhile(wereAny -> wereAny)
                .then();
    }

    private Mono<Compared> compareAsked(String rail, List<Booked> asked, List<Movement> found) {
        Set<String> ids = new HashSet<>(ids(found));
        asked.forEach(posting -> ids.add(posting.railId()));
        // a payment is answered with all its refunds; those that are not booked are found in the list
        return booked.find(rail, ids)
                .map(all -> Compared.of(found, all, Instant.MAX).withMissing(asked));
    }

    /** The postings are marked last, so that an attempt that fails before is repeated. */
    private Mono<Long> store(String rail, Compared compared) {
        List<Match> matches = compared.matches().stream()
                .filter(match -> match.posting().listedIn() == null)
                .toList();
        Map<Instant, List<Booked>> byHour = matches.stream()
                .collect(Collectors.groupingBy(
                        match -> match.movement().listedIn(), Collectors.mapping(Match::posting, Collectors.toList())));
        List<Booked> broken = compared.breaks().stream()
                .flatMap(one -> one.postings().stream())
                .filter(posting -> !posting.isReconciled())
                .toList();
        List<String> ids = matches.stream()
                .flatMap(match -> match.movement().ids().stream())
                .toList();
        return breaks.write(rail, compared.breaks()).flatMap(opened -> breaks.closeMatched(rail, ids)
                .thenMany(Flux.fromIterable(byHour.entrySet()))
                .concatMap(hour -> booked.reconciled(hour.getValue(), hour.getKey()))
                .then(Mono.defer(() -> booked.reconciled(broken, null)))
                .thenReturn(opened));
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "reconcile_failed")
                .addKeyValue(
                        "cause",
                        RailFault.describe(Exceptions.unwrapMultiple(failure).get(0)))
                .log("The books were not compared with a rail's list; the next pass does it");
    }
}
