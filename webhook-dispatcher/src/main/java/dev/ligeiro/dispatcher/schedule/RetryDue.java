package dev.ligeiro.dispatcher.schedule;

import dev.ligeiro.dispatcher.attempt.AttemptRound;
import dev.ligeiro.dispatcher.attempt.AttemptRound.Tally;
import dev.ligeiro.dispatcher.delivery.Completion;
import dev.ligeiro.dispatcher.delivery.Delivery;
import dev.ligeiro.dispatcher.delivery.PendingDispatch;
import dev.ligeiro.dispatcher.delivery.Verdict;
import dev.ligeiro.dispatcher.endpoint.EndpointStore;
import dev.ligeiro.dispatcher.schedule.TakeDue.Taken;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Attempts again what is due: takes, attempts, writes. Several processes may do it at once. */
@Component
class RetryDue {

    private final TakeDue due;
    private final EndpointStore endpoints;
    private final AttemptRound rounds;
    private final CompletionWriter writer;
    private final Postponement postponement;

    RetryDue(
            TakeDue due,
            EndpointStore endpoints,
            AttemptRound rounds,
            CompletionWriter writer,
            Postponement postponement) {
        this.due = due;
        this.endpoints = endpoints;
        this.rounds = rounds;
        this.writer = writer;
        this.postponement = postponement;
    }

    /** One look at what is due, and one round of attempts. Gives whether more may be due. */
    Mono<Boolean> look() {
        return due.take()
                .publishOn(Schedulers.parallel())
                .flatMap(taken -> attempt(taken).thenReturn(taken.more()))
                .defaultIfEmpty(false);
    }

    private Mono<Void> attempt(Taken taken) {
        if (taken.deliveries().isEmpty()) {
            return Mono.empty();
        }
        Set<UUID> ids = taken.deliveries().stream()
                .map(delivery -> delivery.id().endpointId())
                .collect(Collectors.toSet());
        return endpoints
                .enabledById(ids)
                .publishOn(Schedulers.parallel())
                .flatMap(enabled ->
                        rounds.run(dispatches(taken, enabled), late -> writer.attempted(late, taken.claim())))
                .doOnNext(tally -> write(tally, taken.claim()))
                .then();
    }

    private List<PendingDispatch> dispatches(Taken taken, Map<UUID, WebhookEndpoint> enabled) {
        List<PendingDispatch> dispatches = new ArrayList<>(taken.deliveries().size());
        for (Delivery delivery : taken.deliveries()) {
            PendingDispatch dispatch =
                    dispatch(delivery, enabled.get(delivery.id().endpointId()));
            if (dispatch == null) {
                writer.cancel(delivery.id(), taken.claim());
            } else {
                dispatches.add(dispatch);
            }
        }
        return dispatches;
    }

    /** Null when there is nobody to send it to: the endpoint was deleted or disabled. */
    private static @Nullable PendingDispatch dispatch(Delivery delivery, @Nullable WebhookEndpoint endpoint) {
        byte[] body = delivery.body();
        return endpoint == null || body == null
                ? null
                : new PendingDispatch(
                        endpoint,
                        delivery.id().eventId(),
                        delivery.eventType(),
                        delivery.eventAt(),
                        body,
                        delivery.attempts());
    }

    private void write(Tally tally, UUID claim) {
        tally.completed().forEach(dispatch -> writer.attempted(dispatch, claim));
        for (PendingDispatch unbegun : tally.waiting()) {
            writer.write(new Completion(unbegun.id(), claim, null, Verdict.scheduled(postponement.end())));
        }
    }
}
