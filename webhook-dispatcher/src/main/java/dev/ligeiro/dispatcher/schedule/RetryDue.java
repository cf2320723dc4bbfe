package dev.ligeiro.dispatcher.schedule;

import dev.ligeiro.dispatcher.attempt.AttemptRound;
import dev.ligeiro.dispatcher.attempt.AttemptRound.RoundResult;
import dev.ligeiro.dispatcher.delivery.Completion;
import dev.ligeiro.dispatcher.delivery.DeliveryState;
import dev.ligeiro.dispatcher.delivery.PendingDispatch;
import dev.ligeiro.dispatcher.endpoint.EndpointStore;
import dev.ligeiro.dispatcher.payload.StoredPayloads;
import dev.ligeiro.dispatcher.schedule.ClaimDue.Claimed;
import dev.ligeiro.message.EventId;
import dev.ligeiro.webhook.Delivery;
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

/** Retries due deliveries: claims them, attempts them and writes the results. Several processes may run it at the same time. */
@Component
class RetryDue {

    private final ClaimDue claimDue;
    private final EndpointStore endpoints;
    private final AttemptRound rounds;
    private final CompletionWriter writer;
    private final StoredPayloads payloads;
    private final Postponement postponement;

    RetryDue(
            ClaimDue claimDue,
            EndpointStore endpoints,
            AttemptRound rounds,
            CompletionWriter writer,
            StoredPayloads payloads,
            Postponement postponement) {
        this.claimDue = claimDue;
        this.endpoints = endpoints;
        this.rounds = rounds;
        this.writer = writer;
        this.payloads = payloads;
        this.postponement = postponement;
    }

    /** Runs one round of attempts of due deliveries. Gives whether more may be due. */
    Mono<Boolean> runRound() {
        return claimDue.claim()
                .publishOn(Schedulers.parallel())
                .flatMap(claimed -> attempt(claimed).thenReturn(claimed.more()))
                .defaultIfEmpty(false);
    }

    private Mono<Void> attempt(Claimed claimed) {
        if (claimed.deliveries().isEmpty()) {
            return Mono.empty();
        }
        Set<UUID> ids = claimed.deliveries().stream()
                .map(delivery -> delivery.id().endpointId())
                .collect(Collectors.toSet());
        List<EventId> withoutBody = claimed.deliveries().stream()
                .filter(delivery -> delivery.body() == null)
                .map(delivery -> delivery.id().eventId())
                .toList();
        return Mono.zip(endpoints.enabledById(ids), payloads.of(withoutBody))
                .publishOn(Schedulers.parallel())
                .flatMap(found -> rounds.run(
                        dispatches(claimed, found.getT1(), found.getT2()),
                        late -> writer.attempted(late, claimed.claim())))
                .doOnNext(result -> write(result, claimed.claim()))
                .then();
    }

    /** The dispatches of the claimed deliveries. Deliveries whose endpoint was deleted or disabled, or whose payload is lost, are canceled. */
    private List<PendingDispatch> dispatches(
            Claimed claimed, Map<UUID, WebhookEndpoint> enabled, Map<EventId, byte[]> rebuilt) {
        List<PendingDispatch> dispatches = new ArrayList<>(claimed.deliveries().size());
        for (Delivery delivery : claimed.deliveries()) {
            PendingDispatch dispatch =
                    dispatch(delivery, enabled.get(delivery.id().endpointId()), rebuilt);
            if (dispatch == null) {
                writer.cancel(delivery.id(), claimed.claim());
            } else {
                dispatches.add(dispatch);
            }
        }
        return dispatches;
    }

    private static @Nullable PendingDispatch dispatch(
            Delivery delivery, @Nullable WebhookEndpoint endpoint, Map<EventId, byte[]> rebuilt) {
        byte[] body = delivery.body() != null
                ? delivery.body()
                : rebuilt.get(delivery.id().eventId());
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

    private void write(RoundResult result, UUID claim) {
        result.completed().forEach(dispatch -> writer.attempted(dispatch, claim));
        for (PendingDispatch dispatch : result.notStarted()) {
            writer.write(new Completion(dispatch.id(), claim, null, DeliveryState.scheduled(postponement.end())));
        }
    }
}
