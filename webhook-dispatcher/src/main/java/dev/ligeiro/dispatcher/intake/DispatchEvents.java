package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.MemoryBudget;
import dev.ligeiro.dispatcher.attempt.AttemptRound;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.attempt.RoundProperties;
import dev.ligeiro.dispatcher.intake.PlanDeliveries.Seen;
import dev.ligeiro.dispatcher.intake.Planned.Way;
import dev.ligeiro.support.work.BatchBytes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Processes a batch of events: plans the deliveries, makes the first attempts of those whose endpoints are free, and stores all. When it
 * completes, every (event, subscribed endpoint) pair has a delivery in MongoDB, so the batch's offsets may be committed. Idempotent:
 * repeating it creates no second delivery.
 */
@Component
class DispatchEvents {

    private static final Logger LOG = LoggerFactory.getLogger(DispatchEvents.class);

    private final PlanDeliveries plans;
    private final AttemptRound rounds;
    private final StoreRound store;
    private final Clock clock;
    private final BatchBytes partBytes;
    private final Duration longestRun;

    DispatchEvents(
            PlanDeliveries plans,
            AttemptRound rounds,
            StoreRound store,
            Clock clock,
            BatchBytes partBytes,
            RoundProperties properties) {
        this.plans = plans;
        this.rounds = rounds;
        this.store = store;
        this.clock = clock;
        this.partBytes = partBytes;
        this.longestRun = properties.window().plus(properties.lease());
    }

    Mono<Void> dispatch(Batch batch, List<ReceivedEvent> received) {
        return plans.look(received)
                .flatMapMany(seen -> plans.plan(batch, received, seen)
                        .buffer(MemoryBudget.ROUND_DELIVERIES_MAX)
                        .concatMap(planned -> round(batch, planned, seen), 0))
                .then();
    }

    private Mono<Void> round(Batch batch, List<Planned> planned, Seen seen) {
        if (partBytes.belowMax()) {
            logBegin(planned);
        }
        List<Dispatch> attempts = planned.stream()
                .filter(one -> one.way() == Way.ATTEMPT)
                .map(Planned::dispatch)
                .toList();
        // until then no other process repeats an attempt that is running here
        Instant leaseEnd = clock.instant().truncatedTo(ChronoUnit.MILLIS).plus(longestRun);
        Instant dueAt = batch.dueAt(clock.instant().truncatedTo(ChronoUnit.MILLIS));
        if (!attempts.isEmpty()) {
            batch.attempting(leaseEnd);
        }
        // a late attempt updates its delivery after the insert, and not at all if the insert fails
        Sinks.Empty<Void> stored = Sinks.empty();
        return rounds.run(attempts, batch::isHeld, late -> stored.asMono()
                        .subscribe(nothing -> {}, notStored -> {}, () -> store.late(late, leaseEnd)))
                .flatMap(result -> store.store(planned, dueAt, result, leaseEnd, seen))
                .doOnSuccess(done -> stored.tryEmitEmpty())
                .doOnError(stored::tryEmitError)
                .doOnCancel(() -> stored.tryEmitError(new IllegalStateException("the batch was canceled")));
    }

    /** Follows the line of the part, and names the endpoint with the most deliveries. */
    private static void logBegin(List<Planned> planned) {
        Map<UUID, Long> byEndpoint = planned.stream()
                .collect(Collectors.groupingBy(one -> one.dispatch().endpoint().id(), Collectors.counting()));
        byEndpoint.entrySet().stream().max(Map.Entry.comparingByValue()).ifPresent(busiest -> LOG.atInfo()
                .addKeyValue("event.action", "round_begins")
                .addKeyValue("deliveries", planned.size())
                .addKeyValue("endpoint_id", busiest.getKey())
                .addKeyValue("endpoint_deliveries", busiest.getValue())
                .log("A round of deliveries begins"));
    }
}
