package dev.ligeiro.gateway.api.list.export;

import dev.ligeiro.gateway.http.limit.SharedAmount;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Tenant;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
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

    /** Each takes 100 to 400 kB while its client reads. All together run two reads at a time, so more exports take no more CPU. */
    static final int EXPORTS_MAX = 16;

    static final int PER_TENANT_MAX = 2;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(30);
    private static final Duration RETRY_AFTER_STOP = Duration.ofSeconds(2);
    /** After the drain of connections (the default phase), before the server's wait for running requests (1,024 below it). */
    private static final int PHASE = DEFAULT_PHASE - 512;

    private final SharedAmount exports = new SharedAmount(EXPORTS_MAX, PER_TENANT_MAX, RETRY_AFTER);
    private final Sinks.Empty<Void> stopped = Sinks.empty();
    private volatile boolean running;

    RunningExports(MeterRegistry registry) {
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
        return Mono.using(
                () -> begin(tenant),
                begun -> Mono.firstWithSignal(export, stopped.asMono()),
                ended -> exports.giveBack(ended, 1));
    }

    private Tenant begin(Tenant tenant) {
        exports.take(
                tenant,
                1,
                "At most " + PER_TENANT_MAX + " of your exports run at once; send one after the other",
                "Too many exports are running");
        return tenant;
    }

    long count() {
        return exports.takenInAll();
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
