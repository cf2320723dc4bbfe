package dev.ligeiro.gateway.api.list.export;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.transaction.Tenant;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Bounds the exports that run at once, of each tenant and in all: each may hold the bytes of one read, however slowly its client reads.
 * When the gateway stops it ends them after the time in which it still takes requests, because the HTTP server would wait for them.
 */
@Component
class RunningExports implements SmartLifecycle {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(30);
    private static final Duration RETRY_AFTER_STOP = Duration.ofSeconds(2);
    /** After the drain of connections (the default phase), before the server's wait for running requests (1,024 below it). */
    private static final int PHASE = DEFAULT_PHASE - 512;

    private final ExportProperties limits;
    private final Sinks.Empty<Void> stopped = Sinks.empty();
    private volatile boolean running;

    /** The fields below are guarded by this. */
    private final Map<Tenant, Integer> ofTenants = new HashMap<>();

    private int inAll;

    RunningExports(ExportProperties limits, MeterRegistry registry) {
        this.limits = limits;
        Gauge.builder("ligeiro.gateway.exports", this::count)
                .description("Exports that are being sent")
                .baseUnit("exports")
                .register(registry);
    }

    /**
     * Counts {@code export} while it runs. It fails when the gateway stops.
     *
     * @throws Problem (in the result) 429 when the tenant is at its limit, 503 when all are
     */
    Mono<Void> run(Tenant tenant, Mono<Void> export) {
        return Mono.using(() -> begin(tenant), begun -> Mono.firstWithSignal(export, stopped.asMono()), this::end);
    }

    private synchronized Tenant begin(Tenant tenant) {
        int ofTenant = ofTenants.getOrDefault(tenant, 0);
        if (ofTenant >= limits.perTenant()) {
            throw Problem.of(
                            ProblemCode.RATE_LIMITED,
                            "At most " + limits.perTenant() + " of your exports run at once; send one after the other")
                    .retryAfter(RETRY_AFTER);
        }
        if (inAll >= limits.max()) {
            throw Problem.overloaded("Too many exports are running", RETRY_AFTER);
        }
        ofTenants.put(tenant, ofTenant + 1);
        inAll++;
        return tenant;
    }

    private synchronized void end(Tenant tenant) {
        inAll--;
        ofTenants.computeIfPresent(tenant, (same, count) -> count == 1 ? null : count - 1);
    }

    synchronized int count() {
        return inAll;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        stopped.tryEmitError(Problem.unavailable("The gateway stops", RETRY_AFTER_STOP));
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
