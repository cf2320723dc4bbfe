package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Lane;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The lanes as the intake sees them: it asks which endpoints may be attempted from memory, and marks lanes. */
@Component
public class IntakeLanes {

    private final LaneStore lanes;
    private final LaneWorker worker;
    private final Clock clock;
    private final Breaker breaker;
    private final Duration slowFor;

    IntakeLanes(LaneStore lanes, LaneWorker worker, Clock clock, LaneProperties properties) {
        this.lanes = lanes;
        this.worker = worker;
        this.clock = clock;
        this.breaker = properties.breaker();
        this.slowFor = properties.slowFor();
    }

    /** The lanes of {@code tenants} by endpoint. */
    public Mono<Map<UUID, Lane>> ofTenants(Collection<Tenant> tenants) {
        return lanes.ofTenants(tenants);
    }

    /** Whether a first attempt may be made from memory: the endpoint is healthy and quick. */
    public boolean isFree(@Nullable Lane lane) {
        return lane == null || breaker.isFree(lane, clock.instant());
    }

    /** How long an endpoint counts as slow after a batch that it has held up. */
    public Duration slowFor() {
        return slowFor;
    }

    /** Stores marks, one per endpoint. Call it after the deliveries are stored. */
    public Mono<Void> mark(Collection<LaneMark> marks) {
        Instant now = clock.instant();
        return lanes.mark(marks, now).doOnSuccess(done -> {
            if (marks.stream().anyMatch(mark -> !mark.dueAt().isAfter(now))) {
                worker.lookSoon();
            }
        });
    }

    /** Forgets the failures of endpoints that have succeeded. */
    public Mono<Void> recovered(Collection<UUID> endpointIds) {
        return lanes.recovered(endpointIds);
    }
}
