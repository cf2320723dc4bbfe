package dev.ligeiro.gateway.api.webhook.replay;

import dev.ligeiro.gateway.api.webhook.delivery.DisabledEndpoint;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Instant;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Stores a replay, which a gateway then runs. */
@Component
class StartReplay {

    private final ReplayStore store;
    private final Clock clock;

    StartReplay(ReplayStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Fails with a problem 409 if the endpoint is disabled or has a running replay. */
    Mono<Replay> start(WebhookEndpoint endpoint, ReplayRequest request) {
        DisabledEndpoint.refuse(endpoint);
        Instant now = Instant.ofEpochMilli(clock.millis());
        Replay replay = Replay.begin(UuidV7.at(now.toEpochMilli()), endpoint.id(), endpoint.tenant(), request, now);
        return store.insert(replay)
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(() ->
                        Problem.of(ProblemCode.REPLAY_RUNNING, "Wait until the endpoint's running replay has ended")))
                .thenReturn(replay);
    }
}
