package dev.ligeiro.dispatcher.schedule;

import dev.ligeiro.dispatcher.delivery.AttemptOutcome;
import dev.ligeiro.dispatcher.delivery.CompletedDispatch;
import dev.ligeiro.dispatcher.delivery.DeliveryMetrics;
import dev.ligeiro.dispatcher.delivery.Verdict;
import dev.ligeiro.dispatcher.endpoint.EndpointStore;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Settles what follows from attempts: a verdict for each, and the end of an endpoint that says it is gone. */
@Component
public class SettleDispatches {

    private static final Logger LOG = LoggerFactory.getLogger(SettleDispatches.class);
    private static final int CONCURRENCY = 4;

    private final RetrySchedule schedule;
    private final EndpointStore endpoints;
    private final DeliveryMetrics metrics;
    private final Clock clock;

    SettleDispatches(RetryProperties properties, EndpointStore endpoints, DeliveryMetrics metrics, Clock clock) {
        this.schedule = new RetrySchedule(properties.delays(), properties.jitter(), properties.retryAfterMax());
        this.endpoints = endpoints;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** A dispatch and what becomes of its delivery. */
    public record Settled(CompletedDispatch dispatch, Verdict verdict) {}

    public Mono<List<Settled>> settle(List<CompletedDispatch> completed) {
        List<Settled> settled = completed.stream().map(this::settle).toList();
        return Flux.fromIterable(completed)
                .filter(dispatch -> dispatch.attempt().outcome() == AttemptOutcome.GONE)
                .map(dispatch -> dispatch.dispatch().endpoint())
                .distinct(WebhookEndpoint::id)
                .flatMap(this::disable, CONCURRENCY)
                .then(Mono.just(settled));
    }

    private Settled settle(CompletedDispatch dispatch) {
        double jitterFactor = ThreadLocalRandom.current().nextDouble(-1, 1);
        Verdict verdict = schedule.after(dispatch, clock.instant(), jitterFactor);
        metrics.became(verdict.status());
        return new Settled(dispatch, verdict);
    }

    /** When it fails, the endpoint's next 410 does it. */
    private Mono<Void> disable(WebhookEndpoint endpoint) {
        return endpoints
                .disable(endpoint)
                .doOnSuccess(done -> LOG.info("event=endpoint_disabled endpoint={} reason=gone", endpoint.id()))
                .onErrorResume(failure -> {
                    LOG.warn("event=endpoint_not_disabled endpoint={} cause={}", endpoint.id(), failure.toString());
                    return Mono.empty();
                });
    }
}
