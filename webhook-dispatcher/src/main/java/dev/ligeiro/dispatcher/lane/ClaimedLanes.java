package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.webhook.Lane;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The lanes that this process has claimed. One thread runs all their decisions, so that they need no locks; requests and reads of
 * MongoDB do not block it.
 */
@Component
class ClaimedLanes implements DisposableBean {

    /** A lane that is handed over waits for its running attempts, up to 15 s: this share of the lanes may do so at a time. */
    private static final int HANDING_OVER_SHARE = 16;

    private final LaneRun.Shared shared;
    private final Duration heldMin;
    private final int handingOverMax;

    private final Scheduler thread = Schedulers.newSingle("webhook-lanes", true);
    private final Map<UUID, LaneRun> runs = new HashMap<>();
    private final FairQueue<LaneRun> waiting;
    private volatile int count;
    private boolean stopping;

    ClaimedLanes(LaneRun.Shared shared, MeterRegistry metrics) {
        this.shared = shared;
        this.heldMin = shared.webhook().lease().dividedBy(2);
        this.handingOverMax = Math.max(1, shared.properties().claimedMax() / HANDING_OVER_SHARE);
        this.waiting = new FairQueue<>(shared.inFlight()::of);
        Gauge.builder("ligeiro.webhook.lanes.claimed", this, ClaimedLanes::count)
                .description("Lanes that this process works on")
                .register(metrics);
    }

    /** The number of claimed lanes. */
    int count() {
        return count;
    }

    /** The claimed lanes by endpoint, as this process knows them. */
    Mono<Map<UUID, Lane>> lanes() {
        return Mono.fromCallable(() -> runs.values().stream()
                        .map(LaneRun::lane)
                        .collect(Collectors.toMap(Lane::endpointId, lane -> lane)))
                .subscribeOn(thread);
    }

    /** Begins the work on lanes that were claimed, none of which it works on already. */
    void add(List<Lane> claimed) {
        execute(() -> {
            for (Lane lane : claimed) {
                LaneRun run = new LaneRun(lane, shared, this::execute, waiting, this::payloadsMax, this::ended);
                runs.put(lane.endpointId(), run);
                count = runs.size();
                begin(run);
            }
        });
    }

    /**
     * Applies the stored state of the lanes {@code asked}, and the versions of their endpoints. Lanes without an entry were claimed by
     * another process, endpoints without an entry were deleted.
     */
    void refresh(Collection<UUID> asked, Map<UUID, Lane> stored, Map<UUID, Integer> versions) {
        execute(() -> {
            for (UUID endpointId : asked) {
                LaneRun run = runs.get(endpointId);
                if (run != null) {
                    run.refreshEndpoint(versions.get(endpointId));
                    run.refresh(stored.get(endpointId));
                }
            }
        });
    }

    /**
     * Gives back the lane that is held longest, because others wait and this process holds as many as it may: lanes whose endpoints respond
     * slowly may never drain. Does nothing if all are held for less than half a lease, or if enough lanes are being given back.
     */
    void handOverOne() {
        execute(() -> {
            Instant heldSince = shared.clock().instant().minus(heldMin);
            if (runs.values().stream().filter(LaneRun::isEnding).count() < handingOverMax) {
                runs.values().stream()
                        .filter(run -> !run.isEnding() && run.begunAt().isBefore(heldSince))
                        .min(Comparator.comparing(LaneRun::begunAt))
                        .ifPresent(LaneRun::stop);
            }
        });
    }

    private void begin(LaneRun run) {
        if (stopping) {
            run.stop();
        } else {
            run.step();
        }
    }

    /** Ends the work on all lanes once their running attempts have ended. Call it until {@link #count} is 0: a release may fail. */
    void stop() {
        execute(() -> {
            stopping = true;
            List.copyOf(runs.values()).forEach(LaneRun::stop);
        });
    }

    /**
     * Runs {@code task} on the thread of the lanes, then starts the attempts that it has made possible. After {@link #destroy} it does
     * nothing: an attempt has outlasted the stop, and its delivery is due again when its lease has ended.
     */
    private void execute(Runnable task) {
        try {
            thread.schedule(() -> {
                task.run();
                waiting.startAll(LaneRun::tryStart);
            });
        } catch (RejectedExecutionException destroyed) {
            // the attempt's permit is free already, and nothing else is left to do
        }
    }

    private int payloadsMax() {
        return DispatcherMemoryBudget.LANE_PAYLOADS_MAX / Math.max(1, count);
    }

    private void ended(LaneRun run) {
        waiting.remove(run.lane().tenant(), run);
        runs.remove(run.lane().endpointId(), run);
        count = runs.size();
    }

    @Override
    public void destroy() {
        thread.dispose();
    }
}
