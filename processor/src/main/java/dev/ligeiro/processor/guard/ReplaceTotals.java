package dev.ligeiro.processor.guard;

import dev.ligeiro.processor.decide.GuardVerdict;
import dev.ligeiro.processor.guard.Totals.End;
import dev.ligeiro.processor.guard.Totals.Reserved;
import dev.ligeiro.processor.guard.TotalsStore.Stored;
import dev.ligeiro.support.FundsStore;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Changes the totals of a tenant: replaces them if no other processor has replaced them since they were read, else begins again. It keeps
 * those that it has written, to save the read.
 */
@Component
class ReplaceTotals {

    /** While other processors replace the same totals. One of them succeeds each time. The other merchants of the batch wait meanwhile. */
    private static final int ATTEMPTS_MAX = 10;

    private static final Duration PAUSE_MIN = Duration.ofMillis(2);
    private static final Duration PAUSE_MAX = Duration.ofMillis(20);

    /** 200 with 20 kB each. */
    private static final int KEPT_MAX = 200;

    private static final int KEPT_RESERVED_MAX = 200;

    private final TotalsStore store;
    private final FundsStore funds;
    private final FirstCount firstCount;
    private final Map<Tenant, Stored> latest = new ConcurrentHashMap<>();

    ReplaceTotals(TotalsStore store, FundsStore funds, FirstCount firstCount) {
        this.store = store;
        this.funds = funds;
        this.firstCount = firstCount;
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
                : find(guard)
                        .switchIfEmpty(Mono.defer(() ->
                                firstCount.run(guard, ends -> end(guard, ends)).then(find(guard))));
    }

    private Mono<Stored> find(CashoutGuard guard) {
        return store.find(guard.tenant()).filter(stored -> isOf(guard, stored));
    }

    /** Whether they were counted for this guard, or for a later one that this processor does not know yet. */
    private static boolean isOf(CashoutGuard guard, Stored stored) {
        return !stored.totals().since().isBefore(guard.totalsSince());
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
