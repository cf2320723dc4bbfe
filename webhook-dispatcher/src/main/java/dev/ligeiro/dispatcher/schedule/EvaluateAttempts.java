package dev.ligeiro.dispatcher.schedule;

import dev.ligeiro.dispatcher.delivery.CompletedDispatch;
import dev.ligeiro.dispatcher.delivery.DeliveryMetrics;
import dev.ligeiro.dispatcher.delivery.DeliveryState;
import dev.ligeiro.dispatcher.endpoint.EndpointStore;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Decides the new state of each attempted delivery, and disables endpoints that responded with 410. */
@Component
public class EvaluateAttempts {

    private static final Logger LOG = LoggerFactory.getLogger(EvaluateAttempts.class);
    private static final int CONCURRENCY = 4;

    private final RetrySchedule schedule;
    private final EndpointStore endpoints;
    private final DeliveryMetrics metrics;
    private final Clock clock;

    EvaluateAttempts(RetryProperties properties, EndpointStore endpoints, DeliveryMetrics metrics, Clock clock) {
        this.schedule = new RetrySchedule(properties.delays(), properties.jitter(), properties.retryAfterMax());
        this.endpoints = endpoints;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** A completed dispatch and the new state of its delivery. */
    public record EvaluatedAttempt(CompletedDispatch dispatch, DeliveryState state) {}

    public Mono<List<EvaluatedAttempt>> evaluate(List<CompletedDispatch> completed) {
        List<EvaluatedAttempt> evaluated =
                completed.stream().map(this::evaluate).toList();
        return Flux.fromIterable(completed)
                .filter(dispatch -> dispatch.attempt().outcome() == AttemptOutcome.GONE)
                .map(dispatch -> dispatch.dispatch().endpoint())
                .distinct(WebhookEndpoint::id)
                .flatMap(this::disable, CONCURRENCY)
                .then(Mono.just(evaluated));
    }

    private EvaluatedAttempt evaluate(CompletedDispatch dispatch) {
        double jitterFactor = ThreadLocalRandom.current().nextDouble(-1, 1);
        DeliveryState state = schedule.after(dispatch, clock.instant(), jitterFactor);
        metrics.count(state.status());
        return new EvaluatedAttempt(dispatch, state);
    }

    /** A failure is only logged: the next 410 of the endpoint disables it. */
    private Mono<Void> disable(WebhookEndpoint endpoint) {
        return endpoints
                .disable(endpoint, DisabledReason.GONE, clock.instant())
                .doOnSuccess(done -> LOG.atInfo()
                        .addKeyValue("event.action", "endpoint_disabled")
                        .addKeyValue("endpoint_id", endpoint.id())
                        .log("An endpoint is disabled because it answered 410 Gone"))
                .onErrorResume(failure -> {
                    LOG.atWarn()
                            .addKeyValue("event.action", "endpoint_not_disabled")
                            .addKeyValue("endpoint_id", endpoint.id())
                            .addKeyValue("cause", failure.getClass().getSimpleName())
                            .log("An endpoint that answered 410 Gone could not be disabled; its next 410 does it");
                    return Mono.empty();
                });
    }
}
