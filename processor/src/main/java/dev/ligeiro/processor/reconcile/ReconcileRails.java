package dev.ligeiro.processor.reconcile;

import dev.ligeiro.message.Topics;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.live.BankLists;
import dev.ligeiro.processor.rail.live.LiveRails;
import dev.ligeiro.processor.reconcile.Compared.Match;
import dev.ligeiro.processor.reconcile.ListProgress.Due;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.work.RepeatedWork;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 * Compares the books with the list of each rail, hour by hour; one processor at a time does it. Each hour is read twice, and then the rail is
 * asked about each posting that its list did not have. What differs becomes a break; money is never moved. An hour that was read in part is
 * read again, which changes nothing.
 */
@Component
@ConditionalOnBooleanProperty(
        name = {"ligeiro.books.enabled", "ligeiro.reconcile.enabled"},
        matchIfMissing = true)
class ReconcileRails extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(ReconcileRails.class);

    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final double JITTER = 0.2;

    /** A killed processor is replaced after this time. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    /** After each call to a bank, because a list is not urgent. */
    private static final Duration PAUSE = Duration.ofMillis(5);

    /** So many postings at once are asked about. */
    private static final int ASKED = 100;

    private final List<RailList> lists;
    private final ListProgressStore progress;
    private final BookedStore booked;
    private final BreakStore breaks;
    private final LeaseStore.Lease lease;
    private final Function<Instant, Mono<Boolean>> booksHavePassed;
    private final ReconcileMetrics metrics;
    private final ReconcileProperties properties;
    private final Clock clock;

    @Autowired
    ReconcileRails(
            LiveRails rails,
            BankLists banks,
            SimulatorListStore simulator,
            ListProgressStore progress,
            BookedStore booked,
            BreakStore breaks,
            LeaseStore leases,
            CommittedOffsets offsets,
            @Value("${ligeiro.books.consumer-group}") String books,
            ReconcileMetrics metrics,
            ReconcileProperties properties,
            Clock clock) {
        this(
                lists(rails, banks, simulator),
                progress,
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
            List<RailList> lists,
            ListProgressStore progress,
            BookedStore booked,
            BreakStore breaks,
            LeaseStore leases,
            Function<Instant, Mono<Boolean>> booksHavePassed,
            ReconcileMetrics metrics,
            ReconcileProperties properties,
            Clock clock) {
        this.lists = List.copyOf(lists);
        this.progress = progress;
        this.booked = booked;
        this.breaks = breaks;
        this.lease = leases.of("reconcile-lease");
        this.booksHavePassed = booksHavePassed;
        this.metrics = metrics;
        this.properties = properties;
        this.clock = clock;
    }

    private static List<RailList> lists(LiveRails rails, BankLists banks, RailList simulator) {
        List<RailList> all = new ArrayList<>();
        rails.accounts().forEach((rail, bank) -> all.add(new BankRailList(rail, bank, banks, PAUSE)));
        // last, so that test mode does not delay live mode
        all.add(simulator);
        return all;
    }

    @Override
    protected Duration pause() {
        return jittered(EVERY, JITTER);
    }

    @Override
    protected Mono<Void> run() {
        return lease.take(clock.instant(), LEASE)
                .doOnNext(taken -> {
                    if (!taken) {
                        metrics.unknown();
                    }
                })
                .filter(taken -> taken)
                // a pass may take minutes
                .flatMap(taken -> Mono.firstWithSignal(passes(), renewLease()))
                .doOnError(failure -> metrics.unknown());
    }

    private Mono<Void> renewLease() {
        return Mono.defer(() -> lease.take(clock.instant(), LEASE).then(measure()))
                .onErrorComplete()
                .delaySubscription(EVERY)
                .repeat()
                .then();
    }

    /** A rail that is away must not keep the others from being compared. */
    private Mono<Void> passes() {
        return measure()
                .thenMany(Flux.fromIterable(lists))
                .flatMapDelayError(this::pass, 1, 1)
                .then();
    }

    private Mono<Void> measure() {
        Instant now = clock.instant();
        return Flux.fromIterable(lists)
                .concatMap(list -> progress.read(list.rail(), now).map(read -> Map.entry(list.rail(), read.again())))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .zipWith(breaks.open())
                .doOnNext(found -> metrics.measured(found.getT1(), found.getT2(), now))
                .then();
    }

    /** Reads the hours that are due, one after the other. Without the books' postings an hour would be full of breaks, so it waits for them. */
    Mono<Void> pass(RailList list) {
        return Mono.defer(() -> progress.read(list.rail(), clock.instant()))
                .flatMap(read -> Mono.justOrEmpty(read.due(clock.instant(), properties)))
                .filterWhen(due -> booksHavePassed.apply(clock.instant().minus(properties.hourAfter())))
                .flatMap(due -> read(list, due).thenReturn(true))
                .defaultIfEmpty(false)
                .repeat()
                .takeWhile(wasDue -> wasDue)
                .then();
    }

    private Mono<Void> read(RailList list, Due due) {
        return compareHour(list, due)
                .then(due.endsDaysUntil() == null ? Mono.empty() : askAbout(list, due, due.endsDaysUntil()))
                .then(progress.write(list.rail(), due.after()));
    }

    private Mono<Void> compareHour(RailList list, Due due) {
        return list.hour(due.hour())
                .concatMap(
                        page -> {
                            Set<String> ids = page.stream()
                                    .flatMap(movement -> movement.ids().stream())
                                    .collect(Collectors.toSet());
                            return booked.find(list.rail(), ids)
                                    .map(found ->
                                            Compared.of(page, found, due.after().since()))
                                    .flatMap(compared -> store(list.rail(), compared))
                                    .map(opened -> new Counted(page.size(), opened));
                        },
                        1)
                .reduce(Counted::plus)
                .doOnNext(counted -> LOG.atInfo()
                        .addKeyValue("event.action", "hour_compared")
                        .addKeyValue("rail", list.rail())
                        .addKeyValue("hour", due.hour())
                        .addKeyValue("movements", counted.movements())
                        .addKeyValue("breaks", counted.breaks())
                        .log("An hour of a rail's list was compared with the books"))
                .then();
    }

    /** @param breaks how many were opened */
    private record Counted(long movements, long breaks) {

        Counted plus(Counted other) {
            return new Counted(movements + other.movements, breaks + other.breaks);
        }
    }

    /**
     * Asks the rail about the postings that its lists did not have: a refund of an older payment is in the list of that payment's day, and a
     * bank may have dated a payment back. Each posting is asked about once: it is found, or becomes a break.
     */
    private Mono<Void> askAbout(RailList list, Due due, Instant until) {
        return Mono.defer(() -> booked.unreconciled(list.rail(), due.after().since(), until, ASKED))
                .filter(batch -> !batch.isEmpty())
                .flatMap(batch -> list.find(batch)
                        .collectList()
                        .flatMap(found -> compareAsked(list.rail(), batch, found))
                        .flatMap(compared -> store(list.rail(), compared)))
                .map(opened -> true)
                .defaultIfEmpty(false)
                .repeat()
                .takeWhile(wereAny -> wereAny)
                .then();
    }

    private Mono<Compared> compareAsked(String rail, List<Booked> asked, List<Movement> found) {
        Set<String> ids = found.stream()
                .flatMap(movement -> movement.ids().stream())
                .collect(Collectors.toCollection(HashSet::new));
        asked.forEach(posting -> ids.add(posting.railId()));
        // a payment is answered with all its refunds; those that are not booked are found in the list
        return booked.find(rail, ids)
                .map(all -> Compared.of(found, all, Instant.MAX).withMissing(asked));
    }

    /** The postings are marked last, so that an attempt that fails before is repeated. */
    private Mono<Long> store(String rail, Compared compared) {
        List<Match> matches = compared.matches().stream().filter(Match::isNew).toList();
        List<Booked> broken = compared.breaks().stream()
                .flatMap(one -> one.postings().stream())
                .filter(posting -> !posting.isReconciled())
                .toList();
        Mono<Void> marked = Flux.fromIterable(matches.stream()
                        .collect(Collectors.groupingBy(
                                match -> match.movement().listedIn(),
                                Collectors.mapping(Match::posting, Collectors.toList())))
                        .entrySet())
                .concatMap(hour -> booked.listed(hour.getValue(), hour.getKey()))
                .then(Mono.defer(() -> booked.broken(broken)));
        return breaks.write(rail, compared.breaks()).flatMap(opened -> breaks.closeMatched(
                        rail, matches.stream().flatMap(Match::ids).toList())
                .then(marked)
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
