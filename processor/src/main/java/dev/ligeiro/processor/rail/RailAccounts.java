package dev.ligeiro.processor.rail;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.transaction.Tenant;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The paying accounts of one rail. An idle account is dropped: each takes 2 kB, and the simulator has one for each tenant. */
final class RailAccounts {

    private static final float FAILURE_PERCENT_MAX = 50;
    private static final int FAILURES_OF = 20;
    private static final Duration OPEN_FOR = Duration.ofSeconds(10);
    private static final CircuitBreakerConfig FAILURES = CircuitBreakerConfig.custom()
            .failureRateThreshold(FAILURE_PERCENT_MAX)
            .slidingWindowSize(FAILURES_OF)
            .minimumNumberOfCalls(FAILURES_OF)
            .waitDurationInOpenState(OPEN_FOR)
            .build();

    /**
     * The time after its last call at which an account is dropped. By then that call has ended: it waits and runs for minutes. Two entries
     * of one account would together make more calls at once than the rail allows.
     */
    private static final Duration IDLE_MAX = Duration.ofHours(1);

    private final int permitted;
    private final Duration callTimeout;
    private final Clock clock;
    private final Cache<String, AccountCalls> byName;
    /** The submissions of all accounts that are waiting or not answered yet; also the lock of the two fields below. */
    private final Map<@Nullable Tenant, Integer> submissionsOf = new HashMap<>();

    private int submissions;
    /** The same for other calls: they need room while there are too many submissions. */
    private int inquiries;

    /** @param permitted the calls that an account may make at once until {@link AccountCalls#permit} says otherwise */
    RailAccounts(RailFacts facts, int permitted, Clock clock, Ticker ticker) {
        this.permitted = permitted;
        this.callTimeout = facts.callTimeout();
        this.clock = clock;
        this.byName = Caffeine.newBuilder()
                .expireAfterAccess(IDLE_MAX)
                .executor(Runnable::run)
                .ticker(ticker)
                .build();
    }

    /**
     * Makes a call for the account of this name; see {@link AccountCalls#make}.
     *
     * @param tenant null for a call of no transaction
     * @param notMade the outcome when the call is not made, also because the rail or the tenant has too many calls
     */
    <A> CompletableFuture<A> call(
            String name,
            RailCallKind kind,
            @Nullable Tenant tenant,
            Supplier<CompletableFuture<A>> call,
            Instant startBy,
            A notMade) {
        if (!hold(kind, tenant)) {
            return CompletableFuture.completedFuture(notMade);
        }
        return account(name)
                .make(kind, tenant, call, startBy, notMade)
                .whenComplete((outcome, fault) -> end(kind, tenant));
    }

    private boolean hold(RailCallKind kind, @Nullable Tenant tenant) {
        synchronized (submissionsOf) {
            if (kind != RailCallKind.SUBMIT) {
                boolean hasRoom = inquiries < ProcessorMemoryBudget.INQUIRIES_MAX;
                inquiries += hasRoom ? 1 : 0;
                return hasRoom;
            }
            // as many as there is room for others: a tenant with thousands leaves half of the room, two leave a third
            if (submissionsOf.getOrDefault(tenant, 0) >= ProcessorMemoryBudget.SUBMISSIONS_MAX - submissions) {
                return false;
            }
            submissions++;
            submissionsOf.merge(tenant, 1, Integer::sum);
            return true;
        }
    }

    private void end(RailCallKind kind, @Nullable Tenant tenant) {
        synchronized (submissionsOf) {
            if (kind != RailCallKind.SUBMIT) {
                inquiries--;
                return;
            }
            submissions--;
            submissionsOf.computeIfPresent(tenant, (any, held) -> held == 1 ? null : held - 1);
        }
    }

    /** How many accounts have an open circuit breaker. */
    long openBreakers() {
        return byName.asMap().values().stream().filter(AccountCalls::isOpen).count();
    }

    AccountCalls account(String name) {
        return byName.get(
                name, added -> new AccountCalls(permitted, CircuitBreaker.of(added, FAILURES), callTimeout, clock));
    }
}
