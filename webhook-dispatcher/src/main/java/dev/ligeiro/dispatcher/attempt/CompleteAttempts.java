package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.support.work.RequestBatcher;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * What follows an attempt, the first one or a retry: the schedule decides the delivery's next state, and an endpoint that answered 410
 * is disabled.
 *
 * <p>After a 500 the delivery gets the time of its next attempt here. {@code BatchRows} stores it if that was the first attempt; the result of
 * a later one is written here, in bulks. At that time {@code LaneRun} has the next attempt made, unless the circuit breaker of the endpoint
 * ({@code Breaker}) is open.
 *
 * <p>Results that arrive during a bulk, or within 10 ms of its start, form the next one. A bulk that fails is repeated for as long as a lease
 * lasts, then its results are dropped: the deliveries are due again.
 */
@Component
public class CompleteAttempts {

    private static final Logger LOG = LoggerFactory.getLogger(CompleteAttempts.class);
    private static final int GROUP_MAX = 128;
    private static final Duration SPACING = Duration.ofMillis(10);
    /** Lanes hold at most two windows each whose results are not written, batches no more than two of the largest. */
    private static final int WAITING_MAX = 16_000;

    private static final Duration BACK_OFF = Duration.ofMillis(100);
    private static final Duration BACK_OFF_MAX = Duration.ofSeconds(1);

    private final RetrySchedule schedule;
    private final EndpointStore endpoints;
    private final DeliveryStore store;
    private final DeliveryMetrics metrics;
    private final Clock clock;
    private final Duration lease;
    private final RequestBatcher<DeliveryStore.Result, Void> writes =
            new RequestBatcher<>(GROUP_MAX, 1, WAITING_MAX, SPACING, this::write);
    private final AtomicInteger unwritten = new AtomicInteger();

    CompleteAttempts(
            RetrySchedule schedule,
            EndpointStore endpoints,
            DeliveryStore store,
            DeliveryMetrics metrics,
            Clock clock,
            WebhookProperties properties) {
        this.schedule = schedule;
        this.endpoints = endpoints;
        this.store = store;
        this.metrics = metrics;
        this.clock = clock;
        this.lease = properties.lease();
    }

    /** The delivery in its next state, with only this attempt. */
    public Delivery complete(Completed completed) {
        if (completed.outcome() == AttemptOutcome.GONE) {
            disable(completed.dispatch().endpoint(), DisabledReason.GONE);
        }
        Delivery next = next(completed, schedule, ThreadLocalRandom.current().nextDouble(-1, 1), clock.instant());
        metrics.count(next.status());
        return next;
    }

    /** Pure. The delivery has no payload: while MongoDB is slow, thousands of them may wait to be written. */
    static Delivery next(Completed completed, RetrySchedule schedule, double jitterFactor, Instant now) {
        Dispatch dispatch = completed.dispatch();
        List<Attempt> attempts = List.of(completed.attempt());
        boolean delivered = completed.outcome() == AttemptOutcome.DELIVERED;
        Duration delay =
                delivered ? null : schedule.next(dispatch.attemptsMade() + 1, completed.retryAfter(), jitterFactor);
        if (delay != null) {
            return dispatch.scheduled(now.plus(delay), attempts);
        }
        DeliveryStatus status = delivered ? DeliveryStatus.DELIVERED : DeliveryStatus.EXHAUSTED;
        return Delivery.ended(dispatch.id(), dispatch.eventType(), dispatch.eventAt(), status, attempts, now);
    }

    /**
     * Returns at once; the endpoint is disabled a moment later. Then a dispatcher checks its lane: it cancels the deliveries and forgets the
     * failures. If MongoDB does not answer, the next attempt disables it.
     */
    public void disable(WebhookEndpoint endpoint, DisabledReason reason) {
        endpoints
                .disable(endpoint, reason, clock.instant())
                .filter(disabled -> disabled)
                .subscribe(
                        disabled -> LoggedMerchant.add(
                                        LOG.atInfo().addKeyValue("event.action", "endpoint_disabled"),
                                        endpoint.tenant())
                                .addKeyValue("endpoint_id", endpoint.id())
                                .addKeyValue("reason", reason.code())
                                .log("An endpoint is disabled"),
                        failure -> LoggedMerchant.add(
                                        LOG.atWarn().addKeyValue("event.action", "endpoint_not_disabled"),
                                        endpoint.tenant())
                                .addKeyValue("endpoint_id", endpoint.id())
                                .addKeyValue("reason", reason.code())
                                .addKeyValue("cause", failure.getClass().getSimpleName())
                                .log("An endpoint could not be disabled; its next attempt does it"));
    }

    /**
     * Completes and stores an attempt of a stored delivery, unless another process has completed the delivery since.
     *
     * @param written receives the delivery in its next state, when that is written or dropped, on any thread. It should not hold the
     *     payload
     */
    public void store(Completed completed, Consumer<Delivery> written) {
        Instant storedFor = Objects.requireNonNull(completed.dispatch().storedFor(), "a delivery that is not stored");
        boolean isCrowded = unwritten.incrementAndGet() > DispatcherMemoryBudget.WAITING_RESPONSES_MAX;
        Delivery delivery = complete(isCrowded ? completed.withoutResponse() : completed);
        writes.submit(new DeliveryStore.Result(delivery, storedFor))
                .doFinally(signal -> {
                    unwritten.decrementAndGet();
                    written.accept(delivery);
                })
                .subscribe(none -> {}, failure -> logDropped(1, failure));
    }

    /** Whether no result waits to be written. */
    public boolean idle() {
        return unwritten.get() == 0;
    }

    private Mono<RequestBatcher.Outcomes<Void>> write(List<DeliveryStore.Result> results) {
        return store.update(results)
                .retryWhen(Retry.backoff(Long.MAX_VALUE, BACK_OFF).maxBackoff(BACK_OFF_MAX))
                .timeout(lease)
                .doOnNext(written -> metrics.countLostLeases(results.size() - written))
                .onErrorResume(failure -> {
                    logDropped(results.size(), failure);
                    return Mono.just(0);
                })
                .thenReturn(new AllEnded());
    }

    private static void logDropped(int count, Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "results_dropped")
                .addKeyValue("count", count)
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("Results of attempts were not written; the attempts are made again");
    }

    private record AllEnded() implements RequestBatcher.Outcomes<Void> {

        @Override
        public @Nullable Throwable failure(int index) {
            return null;
        }

        @Override
        public @Nullable Void result(int index) {
            return null;
        }
    }
}
