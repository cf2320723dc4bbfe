package dev.ligeiro.processor.guard;

import dev.ligeiro.processor.guard.Totals.Decided;
import dev.ligeiro.processor.guard.Totals.End;
import dev.ligeiro.support.FundsStore;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Tenant;
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
 * Makes the first totals for a guard: counts what the tenant's cashouts have moved before. It begins when no processor decides by older settings
 * any more; until then the tenant's cashouts wait. If it fails, the next cashout begins it again.
 */
@Component
class FirstCount {

    private static final Logger LOG = LoggerFactory.getLogger(FirstCount.class);

    /** A count that takes longer goes on beside the batch, and the tenant's cashouts come again: the other tenants' must not wait for it. */
    private static final Duration WAIT = Duration.ofMillis(500);

    /** {@link KnownSettings#HOLDS_AFTER}, and the time that a decision takes to be stored, with a repeat. */
    private static final Duration KNOWN_EVERYWHERE = Duration.ofSeconds(10);

    /** Without another processor that replaces the totals each time. */
    private static final Retry ONCE_A_SECOND =
            Retry.fixedDelay(60, Duration.ofSeconds(1)).filter(ReplaceTotals.Contended.class::isInstance);

    /** So many at once are looked up in the books. */
    private static final int CASHOUTS = 500;

    private final TotalsStore store;
    private final FundsStore funds;
    private final Clock clock;
    private final Map<Tenant, Mono<Void>> running = new ConcurrentHashMap<>();

    FirstCount(TotalsStore store, FundsStore funds, Clock clock) {
        this.store = store;
        this.funds = funds;
        this.clock = clock;
    }

    /**
     * Completes when the totals are stored, or after half a second. It runs once for a tenant, and only the first caller waits: if each batch
     * did, the cashouts of one tenant would delay those of all.
     *
     * @param end ends reservations of the tenant
     */
    Mono<Void> run(CashoutGuard guard, Function<Map<TransactionId, End>, Mono<Void>> end) {
        if (clock.instant().isBefore(begins(guard))) {
            return Mono.empty();
        }
        Duration wait = running.containsKey(guard.tenant()) ? Duration.ZERO : WAIT;
        return running.computeIfAbsent(guard.tenant(), tenant -> count(guard, end)
                        .doFinally(signal -> running.remove(tenant))
                        .cache())
                .timeout(wait, Mono.empty());
    }

    /** When the first totals of this guard can be counted. */
    static Instant begins(CashoutGuard guard) {
        return guard.totalsSince().plus(KNOWN_EVERYWHERE);
    }

    private Mono<Void> count(CashoutGuard guard, Function<Map<TransactionId, End>, Mono<Void>> end) {
        return store.decided(guard.tenant(), Totals.countsFrom(guard, clock.instant()))
                .buffer(CASHOUTS)
                .concatMap(some -> posted(guard, some).map(posted -> Map.entry(some, posted)))
                .reduce(Totals.none(guard), (totals, some) -> totals.and(some.getKey(), some.getValue(), guard))
                .flatMap(first -> store.begin(guard.tenant(), first)
                        .doOnSuccess(begun -> endLater(guard, first.reserved().keySet(), end)))
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
    private void endLater(
            CashoutGuard guard, Set<TransactionId> underWay, Function<Map<TransactionId, End>, Mono<Void>> end) {
        Mono.delay(KNOWN_EVERYWHERE)
                .then(Mono.defer(() -> store.ended(guard.tenant(), underWay)))
                .filter(ended -> !ended.isEmpty())
                .flatMap(ended -> end.apply(ended).retryWhen(ONCE_A_SECOND))
                .subscribe(done -> {}, failure -> warn("guard_not_released", guard, failure)
                        .log("Cashouts of a merchant that have ended may stay counted as under way"));
    }

    private static LoggingEventBuilder warn(String action, CashoutGuard guard, Throwable failure) {
        return LoggedMerchant.add(LOG.atWarn().addKeyValue("event.action", action), guard.tenant())
                .addKeyValue("cause", failure.getClass().getSimpleName());
    }
}
