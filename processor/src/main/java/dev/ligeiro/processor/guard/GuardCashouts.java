package dev.ligeiro.processor.guard;

import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.decide.CommandRun;
import dev.ligeiro.processor.decide.GuardVerdict;
import dev.ligeiro.processor.guard.Totals.Decided;
import dev.ligeiro.processor.guard.Totals.Reserved;
import dev.ligeiro.processor.guard.TotalsStore.Stored;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.support.FundsStore;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Guards the cashouts of a batch. Where a limit counts or funds are checked, cashouts are reserved before the batch is decided, and ended when
 * it is stored, with one replacement of the tenant's totals each. After a crash the repeated batch finds its reservations. The steps take
 * nothing from MongoDB while no tenant of the batch has such a guard.
 */
@Component
public class GuardCashouts {

    private static final Logger LOG = LoggerFactory.getLogger(GuardCashouts.class);

    /** Of a replacement, while other processors replace the same totals. One of them succeeds each time. */
    private static final int ATTEMPTS_MAX = 100;

    private static final Duration PAUSE_MIN = Duration.ofMillis(2);
    private static final Duration PAUSE_MAX = Duration.ofMillis(20);

    /** Totals that are kept to save a read: 200 with 20 kB each. */
    private static final int KEPT_MAX = 200;

    private static final int KEPT_RESERVED_MAX = 200;

    /** A first count that takes longer goes on beside the batch, and the tenant's cashouts wait. */
    private static final Duration FIRST_COUNT_WAIT = Duration.ofSeconds(3);

    /** All processors know the guard then, and have ended the batches that they began without it. */
    private static final Duration KNOWN_EVERYWHERE = Duration.ofSeconds(10);

    /** So many at once are looked up in the books. */
    private static final int FIRST_COUNT_CASHOUTS = 500;

    private final KnownSettings known;
    private final TotalsStore store;
    private final FundsStore funds;
    private final Rails rails;
    private final MeterRegistry meters;
    private final Clock clock;
    private final Map<Tenant, Stored> latest = new ConcurrentHashMap<>();
    private final Map<Tenant, Mono<Void>> firstCounts = new ConcurrentHashMap<>();

    GuardCashouts(
            KnownSettings known, TotalsStore store, FundsStore funds, Rails rails, MeterRegistry meters, Clock clock) {
        this.known = known;
        this.store = store;
        this.funds = funds;
        this.rails = rails;
        this.meters = meters;
        this.clock = clock;
        // so that all series exist, with 0, before the first denial
        EnumSet.range(GuardVerdict.CASHOUTS_STOPPED, GuardVerdict.INSUFFICIENT_FUNDS)
                .forEach(this::denials);
    }

    private Counter denials(GuardVerdict reason) {
        return Counter.builder("ligeiro.guard.denials")
                .description("Cashouts that were denied before they reached their rail, by reason")
                .tag("reason", reason.code())
                .register(meters);
    }

    /** The guard for one batch: what operators have set does not change within it. */
    public Mono<OfBatch> begin() {
        return known.now().onErrorMap(MongoFaults::classified).map(OfBatch::new);
    }

    /** The guard of one batch. */
    public final class OfBatch {

        private final GuardSettings settings;
        private final Map<TransactionId, GuardVerdict> denied = new HashMap<>();
        private Map<TransactionId, GuardVerdict> reserved = Map.of();

        OfBatch(GuardSettings settings) {
            this.settings = settings;
        }

        /** Whether the batch must read the transaction from the store: a repeated command carries it as it was when new. */
        public boolean mustLoad(Transaction carried) {
            return settings.counts(carried);
        }

        /** Whether the cashout may go to its rail, as {@link #reserve} has left it. */
        public GuardVerdict verdict(Transaction cashout) {
            GuardVerdict alone = settings.verdict(cashout, rails::comparesOwner);
            GuardVerdict verdict =
                    alone == GuardVerdict.PASSED && cashout.status() == Status.PENDING && settings.counts(cashout)
                            ? reserved.getOrDefault(cashout.id(), GuardVerdict.WAITS)
                            : alone;
            if (verdict.isDenial()) {
                denied.put(cashout.id(), verdict);
            }
            return verdict == GuardVerdict.PASSED && settings.needsApproval(cashout)
                    ? GuardVerdict.APPROVAL_REQUIRED
                    : verdict;
        }

        /** Reserves the new cashouts among the stored transactions of the batch. */
        public Mono<Void> reserve(Collection<Transaction> stored) {
            Instant now = clock.instant();
            Map<Tenant, List<Transaction>> counted = stored.stream()
                    .filter(settings::counts)
                    .filter(cashout -> isNew(cashout, now))
                    .filter(rails::has)
                    .filter(cashout -> settings.verdict(cashout, rails::comparesOwner) == GuardVerdict.PASSED)
                    .collect(Collectors.groupingBy(Transaction::tenant));
            if (counted.isEmpty()) {
                return Mono.empty();
            }
            Map<TransactionId, GuardVerdict> verdicts = new HashMap<>();
            return Flux.fromIterable(counted.entrySet())
                    .concatMap(tenant -> reserve(guard(tenant.getKey()), tenant.getValue(), now))
                    .doOnNext(verdicts::putAll)
                    .then(Mono.fromRunnable(() -> reserved = verdicts));
        }

        private Mono<Map<TransactionId, GuardVerdict>> reserve(
                CashoutGuard guard, List<Transaction> cashouts, Instant now) {
            return change(guard, totals -> reserveCovered(guard, totals, cashouts, now))
                    // the first count is not done yet
                    .defaultIfEmpty(new Reserved(Totals.none(guard), Map.of()))
                    .map(Reserved::verdicts);
        }

        /** Ends the reservations of the cashouts that have ended, and of those that this batch did not take to their rail. */
        public Mono<Void> release(Batch batch) {
            Map<Tenant, Map<TransactionId, Boolean>> ended = new HashMap<>();
            for (CommandRun run : batch.runs()) {
                Transaction cashout = run.stored();
                count(run);
                if (settings.counts(cashout) && hasEnded(cashout)) {
                    ended.computeIfAbsent(cashout.tenant(), tenant -> new HashMap<>())
                            .put(cashout.id(), !isCounted(cashout.status()));
                }
            }
            return Flux.fromIterable(ended.entrySet())
                    .concatMap(tenant -> change(
                            guard(tenant.getKey()),
                            totals -> Mono.just(
                                    new Reserved(totals.end(tenant.getValue(), guard(tenant.getKey())), Map.of()))))
                    .then();
        }

        private void count(CommandRun run) {
            GuardVerdict denial = denied.get(run.id());
            if (denial != null && denial.code().equals(run.stored().history().denialReason())) {
                denials(denial).increment();
            }
        }

        private boolean hasEnded(Transaction cashout) {
            GuardVerdict verdict = reserved.get(cashout.id());
            if (verdict != null && verdict != GuardVerdict.PASSED) {
                return false;
            }
            return switch (cashout.status()) {
                case PENDING -> verdict != null;
                case IN_PROCESS, IN_ANALYSIS -> false;
                case PAID, REFUND, DENIED, CANCELED, EXPIRED -> true;
            };
        }

        private CashoutGuard guard(Tenant tenant) {
            return Objects.requireNonNull(settings.counting(tenant));
        }
    }

    private static boolean isNew(Transaction cashout, Instant now) {
        return cashout.status() == Status.PENDING
                && !cashout.accepted()
                && now.isBefore(cashout.terms().expiresAt());
    }

    private static boolean isCounted(Status status) {
        return status == Status.PAID || status == Status.REFUND;
    }

    /**
     * The funds are read after the totals, and the totals are replaced only if they are still the same: each cashout that has ever been
     * reserved is then in these totals or in this balance.
     */
    private Mono<Reserved> reserveCovered(CashoutGuard guard, Totals totals, List<Transaction> cashouts, Instant now) {
        return totals.fundsChecked()
                ? funds.readLatest(guard.tenant(), totals.reserved().keySet())
                        .map(read -> totals.reserve(cashouts, guard, read, now))
                : Mono.just(totals.reserve(cashouts, guard, null, now));
    }

    /** Replaces the tenant's totals by those after {@code change}. Empty while they are counted for the first time. */
    private Mono<Reserved> change(CashoutGuard guard, Function<Totals, Mono<Reserved>> change) {
        return Mono.defer(() -> current(guard))
                .flatMap(before ->
                        change.apply(before.totals()).flatMap(changed -> replace(guard.tenant(), before, changed)))
                .retryWhen(Retry.backoff(ATTEMPTS_MAX, PAUSE_MIN)
                        .maxBackoff(PAUSE_MAX)
                        .filter(Outdated.class::isInstance)
                        .onRetryExhaustedThrow((retry, last) ->
                                new TransientFault("guard: the totals have changed " + ATTEMPTS_MAX + " times", null)))
                .onErrorMap(MongoFaults::classified);
    }

    private Mono<Reserved> replace(Tenant tenant, Stored before, Reserved changed) {
        if (changed.after() == before.totals()) {
            // those of the cache may be outdated, and a denial or a missing reservation must not follow from them
            return latest.remove(tenant, before) ? Mono.error(new Outdated()) : Mono.just(changed);
        }
        return store.replace(tenant, before, changed.after())
                .switchIfEmpty(Mono.error(Outdated::new))
                .doOnNext(stored -> keep(tenant, stored))
                .doOnError(failure -> latest.remove(tenant))
                .thenReturn(changed);
    }

    private void keep(Tenant tenant, Stored stored) {
        if (latest.size() >= KEPT_MAX) {
            latest.clear();
        }
        if (stored.totals().reserved().size() <= KEPT_RESERVED_MAX) {
            latest.put(tenant, stored);
        } else {
            latest.remove(tenant);
        }
    }

    private Mono<Stored> current(CashoutGuard guard) {
        Stored kept = latest.get(guard.tenant());
        return kept != null && isOf(guard, kept)
                ? Mono.just(kept)
                : find(guard).switchIfEmpty(Mono.defer(() -> firstCount(guard).then(find(guard))));
    }

    private Mono<Stored> find(CashoutGuard guard) {
        return store.find(guard.tenant()).filter(stored -> isOf(guard, stored));
    }

    /** Whether they were counted for this guard, or for a later one that this processor does not know yet. */
    private static boolean isOf(CashoutGuard guard, Stored stored) {
        return !stored.totals().since().isBefore(guard.totalsSince());
    }

    private Mono<Void> firstCount(CashoutGuard guard) {
        // if each batch waited for it, the cashouts of one tenant would delay those of all
        Duration wait = firstCounts.containsKey(guard.tenant()) ? Duration.ZERO : FIRST_COUNT_WAIT;
        return firstCounts
                .computeIfAbsent(guard.tenant(), tenant -> count(guard)
                        .doFinally(end -> firstCounts.remove(tenant))
                        .cache())
                .timeout(wait, Mono.empty());
    }

    /** Counts what has been decided before. If it fails, the next cashout begins it again. */
    private Mono<Void> count(CashoutGuard guard) {
        return store.decided(guard.tenant(), Totals.countsFrom(guard, clock.instant()))
                .buffer(FIRST_COUNT_CASHOUTS)
                .concatMap(some -> posted(guard, some).map(posted -> Map.entry(some, posted)))
                .reduce(Totals.none(guard), (totals, some) -> totals.and(some.getKey(), some.getValue(), guard))
                .flatMap(first -> store.begin(guard.tenant(), first)
                        .doOnSuccess(begun -> endLater(guard, first.reserved().keySet())))
                .onErrorResume(failure -> {
                    LOG.atWarn()
                            .addKeyValue("event.action", "guard_count_failed")
                            .addKeyValue("tenant", guard.tenant().key())
                            .addKeyValue("cause", failure.getClass().getSimpleName())
                            .log("The cashouts of a merchant could not be counted for its limits; its new ones wait");
                    return Mono.empty();
                });
    }

    private Mono<Set<TransactionId>> posted(CashoutGuard guard, List<Decided> some) {
        return guard.fundsCheck()
                ? funds.read(guard.tenant(), some.stream().map(Decided::id).toList())
                        .map(FundsStore.Funds::posted)
                : Mono.just(Set.of());
    }

    /**
     * Ends the reservations of counted cashouts whose batch could not: they have ended before the totals began, or at a processor that did not
     * know the guard yet.
     */
    private void endLater(CashoutGuard guard, Set<TransactionId> underWay) {
        Mono.delay(KNOWN_EVERYWHERE)
                .then(Mono.defer(() -> store.ended(guard.tenant(), underWay)))
                .filter(ended -> !ended.isEmpty())
                .flatMap(ended -> change(guard, totals -> Mono.just(new Reserved(totals.end(ended, guard), Map.of()))))
                .subscribe(done -> {}, failure -> LOG.atWarn()
                        .addKeyValue("event.action", "guard_not_released")
                        .addKeyValue("tenant", guard.tenant().key())
                        .addKeyValue("cause", failure.getClass().getSimpleName())
                        .log("Cashouts of a merchant that have ended may stay counted as under way"));
    }

    /** Another processor has replaced the totals. */
    private static final class Outdated extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Outdated() {
            super(null, null, false, false);
        }
    }
}
