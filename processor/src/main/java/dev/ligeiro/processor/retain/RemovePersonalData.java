package dev.ligeiro.processor.retain;

import dev.ligeiro.processor.apply.BucketVersionStore;
import dev.ligeiro.processor.retain.RedactionStore.Found;
import dev.ligeiro.processor.retain.WaitingStore.Due;
import dev.ligeiro.processor.retain.WaitingStore.Later;
import dev.ligeiro.processor.retain.WaitingStore.Waiting;
import dev.ligeiro.store.RedactionFields;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.mongo.LeasedWork;
import dev.ligeiro.support.work.Interval;
import dev.ligeiro.transaction.Redaction;
import dev.ligeiro.transaction.Redaction.Held;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.Delivery;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Removes personal data, in batches, at a bounded rate: first of the transactions that erasures have found and of those that had to wait, then
 * of each merchant's old ones. A batch first notes the transactions that must wait, then changes the others, then replaces the versions of
 * their time buckets, and only then counts as done. So a crash between any two writes repeats the batch, which changes nothing twice.
 */
@Component
class RemovePersonalData extends LeasedWork {

    private static final Logger LOG = LoggerFactory.getLogger(RemovePersonalData.class);

    /** How soon a confirmed erasure, or the end of a pause, is noticed. */
    private static final Duration EVERY = Duration.ofSeconds(15);

    private static final double JITTER = 0.2;
    private static final Duration LEASE = Duration.ofSeconds(60);
    /** Between two passes over the old transactions of all merchants. */
    private static final Duration PASS_EVERY = Duration.ofMinutes(10);
    /** So long after an event its deliveries may exist: one that is sent again at the end of its 30 days is kept for 30 more. */
    private static final Duration DELIVERIES_MAX = Delivery.KEPT.multipliedBy(2).plus(Redaction.QUIET);
    /** When to look again at the latest: what holds a transaction may end early, or begin. */
    private static final Duration LOOK_AGAIN = Duration.ofDays(1);

    private final RedactionStore store;
    private final WaitingStore waiting;
    private final ErasureStore erasures;
    private final BucketVersionStore versions;
    private final LeaseStore leases;
    private final RetentionProperties properties;
    private final Clock clock;
    private final Interval passes = new Interval(PASS_EVERY);
    private final Counter redacted;

    RemovePersonalData(
            RedactionStore store,
            WaitingStore waiting,
            ErasureStore erasures,
            BucketVersionStore versions,
            LeaseStore leases,
            RetentionProperties properties,
            MeterRegistry meters,
            Clock clock) {
        super(leases.of("retention-lease"), LEASE, clock);
        this.store = store;
        this.waiting = waiting;
        this.erasures = erasures;
        this.versions = versions;
        this.leases = leases;
        this.properties = properties;
        this.clock = clock;
        this.redacted = Counter.builder("ligeiro.redacted")
                .description("Transactions whose personal data was removed, by retention or an erasure")
                .baseUnit("transactions")
                .register(meters);
    }

    @Override
    protected Duration pause() {
        return jittered(EVERY, JITTER);
    }

    @Override
    protected Mono<Void> work() {
        return find().then(Mono.defer(this::waiting))
                .then(Mono.defer(this::endErasures))
                .then(Mono.defer(() -> passes.begin(clock.instant())
                        ? pass().doOnError(cut -> passes.reset()).onErrorComplete(Pace.Ended.class)
                        : Mono.empty()));
    }

    private Pace pace() {
        return new Pace(leases.isPaused(RedactionFields.STATE), properties.perSecond(), clock);
    }

    /** Makes the transactions of confirmed erasures wait. Repeated, it finds those that are left. */
    private Mono<Void> find() {
        return erasures.confirmed()
                .concatMap(erasure -> store.merchants()
                        .concatMap(RedactionStore.Retained::tenants)
                        .concatMap(tenant -> erasures.transactions(tenant, erasure.taxId(), clock.instant()))
                        .buffer(Pace.BATCH)
                        .concatMap(some -> waiting.ask(erasure.id(), some, clock.instant()))
                        .then(waiting.count(erasure.id()))
                        .flatMap(count -> erasures.found(erasure, count)))
                .then();
    }

    private Mono<Void> waiting() {
        return pace().batches(() ->
                        waiting.due(clock.instant(), Pace.BATCH).collectList().flatMap(this::waitingBatch))
                .onErrorComplete(Pace.Ended.class);
    }

    private Mono<Integer> waitingBatch(List<Due> due) {
        if (due.isEmpty()) {
            return Mono.empty();
        }
        List<Waiting> some = due.stream().map(Due::one).toList();
        Set<Tenant> tenants = some.stream().map(Waiting::tenant).collect(Collectors.toSet());
        List<TransactionId> ids = some.stream().map(Waiting::id).toList();
        return Mono.zip(store.find(tenants, ids).collectList(), tooYoung(due, tenants))
                .flatMap(read -> redact(read.getT1(), read.getT2()).flatMap(free -> {
                    List<Found> found = read.getT1();
                    // those that are not stored have nothing to remove
                    Set<TransactionId> done = new HashSet<>(ids);
                    found.forEach(one -> done.remove(one.id()));
                    done.addAll(free);
                    List<Due> ended = due.stream()
                            .filter(each -> done.contains(each.one().id()))
                            .toList();
                    return waiting.forgetResponses(ended.stream().map(Due::one).toList())
                            .then(waiting.remove(ended))
                            .then(store.count(free.size()));
                }))
                .thenReturn(due.size());
    }

    /** Those that only their age has found, and that are not so old now: their merchant has more days, or none, than when they were found. */
    private Mono<Set<TransactionId>> tooYoung(List<Due> due, Set<Tenant> tenants) {
        return store.merchants(tenants)
                .concatMap(merchant -> merchant.tenants().map(tenant -> Map.entry(tenant, daysOf(merchant))))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .map(days -> due.stream()
                        .filter(each -> !each.isErased())
                        .map(Due::one)
                        .filter(one -> days.getOrDefault(one.tenant(), Optional.empty())
                                .map(some -> one.id()
                                        .createdAt()
                                        .isAfter(clock.instant().minus(Duration.ofDays(some))))
                                .orElse(true))
                        .map(Waiting::id)
                        .collect(Collectors.toSet()));
    }

    private Optional<Integer> daysOf(RedactionStore.Retained merchant) {
        return Optional.ofNullable(merchant.days() == null ? properties.days() : merchant.days());
    }

    private Mono<Void> endErasures() {
        return erasures.unended()
                .concatMap(erasure -> waiting.count(erasure)
                        .filter(left -> left == 0)
                        .flatMap(
                                none -> erasures.ended(erasure, clock.instant()).doOnSuccess(ended -> LOG.atInfo()
                                        .addKeyValue("event.action", "erasure_ended")
                                        .addKeyValue("erasure", erasure)
                                        .log("No transaction of an erasure waits any more"))))
                .then();
    }

    /** Over the transactions of all merchants that have become old since the last one. Fails with {@link Pace.Ended} when it is cut short. */
    private Mono<Void> pass() {
        Pace pace = pace();
        double before = redacted.count();
        return store.begun(properties.days(), clock.instant())
                .thenMany(store.merchants())
                .concatMap(merchant -> daysOf(merchant)
                        .map(days -> merchant.tenants().concatMap(tenant -> old(tenant, days, pace)))
                        .orElse(Flux.empty()))
                .then(Mono.defer(() -> store.ended(clock.instant())))
                .doOnTerminate(() -> {
                    long count = (long) (redacted.count() - before);
                    if (count > 0) {
                        LOG.atInfo()
                                .addKeyValue("event.action", "personal_data_removed")
                                .addKeyValue("transactions", count)
                                .log("Old transactions have no personal data any more");
                    }
                });
    }

    private Mono<Void> old(Tenant tenant, int days, Pace pace) {
        return pace.batches(() -> pace.requireTime()
                .then(store.progress(tenant).map(Optional::of).defaultIfEmpty(Optional.empty()))
                .flatMap(after -> store.next(
                                tenant, after.orElse(null), clock.instant().minus(Duration.ofDays(days)), Pace.BATCH)
                        .collectList())
                .flatMap(found -> found.isEmpty()
                        ? Mono.empty()
                        : redact(found, Set.of())
                                .flatMap(free -> waiting.forgetResponses(withDeliveries(found, free))
                                        .then(store.done(
                                                tenant,
                                                found.get(found.size() - 1).id().value(),
                                                free.size())))
                                .thenReturn(found.size())));
    }

    /** Those of the transactions without personal data whose events may have deliveries. */
    private List<Waiting> withDeliveries(List<Found> found, List<TransactionId> free) {
        Instant since = clock.instant().minus(DELIVERIES_MAX);
        List<Waiting> some = new ArrayList<>();
        for (Found one : found) {
            Transaction transaction = one.transaction();
            if (transaction != null
                    && free.contains(one.id())
                    && transaction.history().lastAnnounced().at().isAfter(since)) {
                some.add(new Waiting(one.id(), one.tenant()));
            }
        }
        return some;
    }

    /**
     * @param tooYoung those that keep their personal data for now, unless some of it was removed before: then texts of later entries go too
     * @return the ids of those that have no personal data now; the others wait
     */
    private Mono<List<TransactionId>> redact(List<Found> read, Set<TransactionId> tooYoung) {
        Instant now = clock.instant();
        List<Later> later = new ArrayList<>();
        List<Found> free = new ArrayList<>();
        for (Found one : read) {
            Waiting waits = new Waiting(one.id(), one.tenant());
            Transaction transaction = one.transaction();
            if (transaction == null
                    || tooYoung.contains(one.id())
                            && !transaction.terms().payer().wasRemoved()) {
                later.add(new Later(waits, null, now.plus(LOOK_AGAIN)));
                continue;
            }
            Held held =
                    Redaction.held(transaction, properties.legalPeriod(), now).orElse(null);
            if (held == null) {
                free.add(one);
            } else {
                later.add(new Later(waits, held, lookAgain(held.until(), now)));
            }
        }
        Map<Tenant, List<TransactionId>> byTenant = free.stream()
                .collect(Collectors.groupingBy(Found::tenant, Collectors.mapping(Found::id, Collectors.toList())));
        return waiting.wait(later)
                .then(store.redact(free))
                // one of them has changed meanwhile, which is rare: all of them are looked at again
                .flatMap(all ->
                        all ? Mono.just(true) : waiting.wait(dueAt(free, now)).thenReturn(false))
                .flatMap(all -> Flux.fromIterable(byTenant.entrySet())
                        .concatMap(each -> versions.replace(each.getKey(), each.getValue()))
                        .then(Mono.fromSupplier(() -> {
                            if (all) {
                                redacted.increment(free.size());
                            }
                            return all ? free.stream().map(Found::id).toList() : List.of();
                        })));
    }

    private static List<Later> dueAt(List<Found> some, Instant at) {
        return some.stream()
                .map(one -> new Later(new Waiting(one.id(), one.tenant()), null, at))
                .toList();
    }

    private static Instant lookAgain(@Nullable Instant until, Instant now) {
        Instant latest = now.plus(LOOK_AGAIN);
        return until == null || until.isAfter(latest) ? latest : until.plusMillis(1);
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "personal_data_not_removed")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("A batch of personal data was not removed; it is tried again");
    }
}
