package dev.ligeiro.processor.guard;

import dev.ligeiro.processor.decide.GuardVerdict;
import dev.ligeiro.processor.guard.Totals.Decided;
import dev.ligeiro.processor.guard.Totals.End;
import dev.ligeiro.processor.guard.Totals.Reserved;
import dev.ligeiro.processor.guard.TotalsStore.Stored;
import dev.ligeiro.support.FundsStore;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Changes the totals of a tenant: replaces them if no other processor has replaced them since they were read, else begins again. It keeps
 * those that it has written, to save the read.
 *
 * <p>It makes the first totals for a guard too: counts what the tenant's cashouts have moved before. That begins when no processor decides by
 * older settings any more; until then the tenant's cashouts wait. If it fails, the next cashout begins it again.
 */
@Component
class ReplaceTotals {

    private static final Logger LOG = LoggerFactory.getLogger(ReplaceTotals.class);

    /** While other processors replace the same totals. One of them succeeds each time. The other merchants of the batch wait meanwhile. */
    private static final int ATTEMPTS_MAX = 10;

    private static final Duration PAUSE_MIN = Duration.ofMillis(2);
    private static final Duration PAUSE_MAX = Duration.ofMillis(20);

    /** 200 with 20 kB each. */
    private static final int KEPT_MAX = 200;

    private static final int KEPT_RESERVED_MAX = 200;

    /** A count that takes longer goes on beside the batch, and the tenant's cashouts come again: the other tenants' must not wait for it. */
    private static final Duration COUNT_WAIT = Duration.ofMillis(500);

    /** {@link KnownSettings#HOLDS_AFTER}, and the time that a decision takes to be stored, with a repeat. */
    private static final Duration KNOWN_EVERYWHERE = Duration.ofSeconds(10);

    /** Without another processor that replaces the totals each time. */
    private static final Retry ONCE_A_SECOND =
            Retry.fixedDelay(60, Duration.ofSeconds(1)).filter(Contended.class::isInstance);

    /** So many at once are looked up in the books. */
    private static final int CASHOUTS = 500;

    private final TotalsStore store;
    private final FundsStore funds;
    private final Clock clock;
    private final Map<Tenant, Stored> latest = new ConcurrentHashMap<>();
    private final Map<Tenant, Mono<Void>> counts = new ConcurrentHashMap<>();

    ReplaceTotals(TotalsStore store, FundsStore funds, Clock clock) {
        this.store = store;
        this.funds = funds;
        this.clock = clock;
    }

    /**
     * Reserves cashouts of the guard's tenant. Empty while its earlier cashouts are counted for the first time. Fails with {@link Contended},
     * like {@link #end}, if other processors have replaced the totals each time.
     */
    Mono<Map<TransactionId, GuardVerdict>> reserve(CashoutGuard guard, List<Transaction> cashouts, Instant now) {
        return change(guard, totals -> reserve(guard, totals, cashouts, now), Reserved::after)
                .map(Reserved::verdicts);
    }

    /** Ends the reservations of the tenant's cashouts that have one. */
    Mono<Void> end(CashoutGuard guard, Map<TransactionId, End> ends) {
        return change(guard, totals -> Mono.just(totals.end(ends, guard)), Function.identity())
                .then();
    }

    /**
     * The funds are read after the totals, and the totals are replaced only if they are still the same: each cashout that has ever been
     * reserved is then in these totals or in this balance.
     */
    private Mono<Reserved> reserve(CashoutGuard guard, Totals totals, List<Transaction> cashouts, Instant now) {
        return totals.fundsChecked()
                ? funds.readLatest(guard.tenant(), totals.reserved().keySet())
                        .map(read -> totals.reserve(cashouts, guard, read, now))
                : Mono.just(totals.reserve(cashouts, guard, null, now));
    }

    /** @return the result of {@code change}; empty while the totals are counted for the first time */
    private <R> Mono<R> change(CashoutGuard guard, Function<Totals, Mono<R>> change, Function<R, Totals> after) {
        return Mono.defer(() -> current(guard))
                .flatMap(before -> change.apply(before.totals())
                        .flatMap(result -> replace(guard.tenant(), before, after.apply(result))
                                .thenReturn(result)))
                .retryWhen(Retry.backoff(ATTEMPTS_MAX, PAUSE_MIN)
                        .maxBackoff(PAUSE_MAX)
                        .filter(Outdated.class::isInstance)
                        .onRetryExhaustedThrow((retry, last) -> new Contended()))
                .onErrorMap(MongoFaults::classified);
    }

    private Mono<Void> replace(Tenant tenant, Stored before, Totals after) {
        if (after == before.totals()) {
            // those of the cache may be outdated, and a denial or a missing reservation must not follow from them
            return latest.remove(tenant, before) ? Mono.error(new Outdated()) : Mono.empty();
        }
        return store.replace(tenant, before, after)
                .switchIfEmpty(Mono.error(Outdated::new))
                .doOnNext(stored -> keep(tenant, stored))
                .doOnError(failure -> latest.remove(tenant))
                .then();
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

    /** When the first totals of this guard can be counted. */
    static Instant countBegins(CashoutGuard guard) {
        return guard.totalsSince().plus(KNOWN_EVERYWHERE);
    }

    /**
     * Completes when the first totals are stored, or after half a second. It runs once for a tenant, and only the first caller waits: if each
     * batch did, the cashouts of one tenant would delay those of all.
     */
    private Mono<Void> firstCount(CashoutGuard guard) {
        if (clock.instant().isBefore(countBegins(guard))) {
            return Mono.empty();
        }
        Duration wait = counts.containsKey(guard.tenant()) ? Duration.ZERO : COUNT_WAIT;
        return counts.computeIfAbsent(guard.tenant(), tenant -> count(guard)
                        .doFinally(signal -> counts.remove(tenant))
                        .cache())
                .timeout(wait, Mono.empty());
    }

    private Mono<Void> count(CashoutGuard guard) {
        return store.decided(guard.tenant(), Totals.countsFrom(guard, clock.instant()))
                .buffer(CASHOUTS)
                .concatMap(some -> posted(guard, some).map(posted -> Map.entry(some, posted)))
                .reduce(Totals.none(guard), (totals, some) -> totals.and(some.getKey(), some.getValue(), guard))
                .flatMap(first -> store.begin(guard.tenant(), first)
                        .doOnSuccess(begun -> endLater(guard, first.reserved().keySet())))
                .onErrorResume(failure -> {
                    warn("guard_count_failed", guard, failure)
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
                .flatMap(ended -> end(guard, ended).retryWhen(ONCE_A_SECOND))
                .subscribe(done -> {}, failure -> warn("guard_not_released", guard, failure)
                        .log("Cashouts of a merchant that have ended may stay counted as under way"));
    }

    private static LoggingEventBuilder warn(String action, CashoutGuard guard, Throwable failure) {
        return LoggedMerchant.add(LOG.atWarn().addKeyValue("event.action", action), guard.tenant())
                .addKeyValue("cause", failure.getClass().getSimpleName());
    }

    /** Other processors have replaced the totals each time. The cashouts come again. */
    static final class Contended extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Contended() {
            super("guard: the totals have changed " + ATTEMPTS_MAX + " times", null, false, false);
        }
    }

    /** Another processor has replaced the totals. */
    private static final class Outdated extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Outdated() {
            super(null, null, false, false);
        }
    }
}
