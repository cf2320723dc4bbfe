package dev.ligeiro.gateway.api.create;

import static dev.ligeiro.support.PayloadLocationStore.BLOCK_MAX;

import dev.ligeiro.pix.PayloadLocation;
import dev.ligeiro.support.PayloadLocationStore;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.support.work.RequestBatcher;
import dev.ligeiro.transaction.Tenant;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The payload locations that this gateway has taken from the pools of the rails. A live cashin gets one from memory; while fewer than
 * {@value #STOCK_MIN} are left, the next block is taken in the background. Each is used once. A stop puts the rest back into the pools; a
 * gateway that is killed loses up to three blocks of a rail. The last {@value #RESERVED} of a rail are for all tenants but the one that
 * uses most, so its burst cannot refuse the cashins of others.
 */
@Component
final class LocationStock implements SmartLifecycle {

    /** What a gateway with 1,000 live cashins a second uses in 50 ms. Taking a block needs about 5. */
    private static final int STOCK_MIN = 50;

    /** Creates that wait for a block, as many as may wait for their insert when it is slow. */
    private static final int WAITING_MAX = 500;

    private static final int RESERVED = 25;

    /** A tenant that has used so many more than all others together is the one that uses most. */
    private static final int LEAD = 50;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    /** After the last request has ended, before MongoDB's client is closed. */
    private static final int PHASE = 3;

    private final PayloadLocationStore store;
    private final Counter refused;
    private final Map<String, RailStock> rails = new ConcurrentHashMap<>();
    private volatile boolean running;

    LocationStock(PayloadLocationStore store, MeterRegistry meters) {
        this.store = store;
        this.refused = Counter.builder("ligeiro.gateway.locations.missing")
                .description("Live cashins that were refused because the pool of payload locations was empty")
                .baseUnit("creates")
                .register(meters);
    }

    /**
     * A location that belongs to the caller alone. Waits for MongoDB only when the stock has none for the tenant.
     *
     * @throws Problem (in the result) 503 when the rail's pool is empty
     */
    Mono<PayloadLocation> next(String rail, Tenant tenant) {
        return rails.computeIfAbsent(rail, RailStock::new).next(tenant);
    }

    /** Takes a location back that no stored transaction has. */
    void putBack(String rail, PayloadLocation unused) {
        rails.computeIfAbsent(rail, RailStock::new).free.addFirst(unused);
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop(Runnable stopped) {
        Flux.fromIterable(rails.values())
                .concatMapDelayError(RailStock::returnAll)
                .doFinally(end -> {
                    running = false;
                    stopped.run();
                })
                .subscribe(returned -> {}, lost -> {});
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    private final class RailStock {

        private final String rail;
        private final BlockingDeque<PayloadLocation> free = new LinkedBlockingDeque<>();
        private final AtomicBoolean taking = new AtomicBoolean();
        private final RequestBatcher<Tenant, PayloadLocation> waiting = new RequestBatcher<>(
                BLOCK_MAX, 1, WAITING_MAX, Duration.ZERO, creates -> serve(creates, new Served(creates.size())));
        /** If one tenant uses more than all others, this one; the majority vote of Boyer and Moore, with a bound. */
        private @Nullable Tenant first;

        private int lead;

        private RailStock(String rail) {
            this.rail = rail;
        }

        private Mono<PayloadLocation> next(Tenant tenant) {
            PayloadLocation location = poll(tenant);
            if (location == null) {
                return waiting.submit(tenant);
            }
            if (free.size() < STOCK_MIN && taking.compareAndSet(false, true)) {
                // after a failure the next create tries again
                store.take(rail).doFinally(end -> taking.set(false)).subscribe(free::addAll, failure -> {});
            }
            return Mono.just(location);
        }

        private synchronized @Nullable PayloadLocation poll(Tenant tenant) {
            boolean isFirst = tenant.equals(first);
            if (isFirst && lead >= LEAD && free.size() <= RESERVED) {
                return null;
            }
            PayloadLocation location = free.poll();
            if (location != null) {
                first = lead == 0 ? tenant : first;
                lead = Math.min(2 * LEAD, tenant.equals(first) ? lead + 1 : lead - 1);
            }
            return location;
        }

        /** Takes blocks until there is a location for each create, or no block. */
        private Mono<RequestBatcher.Outcomes<PayloadLocation>> serve(List<Tenant> creates, Served served) {
            int missing = served.fill(creates, this::poll);
            if (missing == 0) {
                return Mono.just(served);
            }
            return store.take(rail)
                    .flatMap(block -> {
                        free.addAll(block);
                        return serve(creates, served);
                    })
                    .switchIfEmpty(Mono.fromSupplier(() -> {
                        refused.increment(missing);
                        return served;
                    }));
        }

        private Flux<Void> returnAll() {
            List<PayloadLocation> rest = new ArrayList<>();
            free.drainTo(rest);
            return Flux.fromIterable(rest).buffer(BLOCK_MAX).concatMap(block -> store.add(rail, block));
        }
    }

    /** The locations of a batch of creates; null for those without one. */
    private static final class Served implements RequestBatcher.Outcomes<PayloadLocation> {

        private final @Nullable PayloadLocation[] locations;

        private Served(int creates) {
            this.locations = new PayloadLocation[creates];
        }

        /** Gives how many are still missing. */
        private int fill(List<Tenant> creates, Function<Tenant, @Nullable PayloadLocation> source) {
            int missing = 0;
            for (int i = 0; i < locations.length; i++) {
                locations[i] = locations[i] == null ? source.apply(creates.get(i)) : locations[i];
                missing += locations[i] == null ? 1 : 0;
            }
            return missing;
        }

        @Override
        public @Nullable Throwable failure(int index) {
            return locations[index] != null
                    ? null
                    : Problem.of(
                                    ProblemCode.QR_CODE_UNAVAILABLE,
                                    "No QR code of the bank is ready; this request has stored nothing")
                            .retryAfter(RETRY_AFTER);
        }

        @Override
        public @Nullable PayloadLocation result(int index) {
            return locations[index];
        }
    }
}
