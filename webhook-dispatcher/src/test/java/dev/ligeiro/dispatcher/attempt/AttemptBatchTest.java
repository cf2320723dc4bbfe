package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.Dispatches;
import dev.ligeiro.dispatcher.attempt.AttemptBatch.Result;
import dev.ligeiro.dispatcher.attempt.AttemptBatch.Running;
import dev.ligeiro.dispatcher.http.TooManyLookups;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class AttemptBatchTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:15Z");

    private final WebhookEndpoint slow = Dispatches.endpoint(1, Transactions.TENANT);
    private final WebhookEndpoint quick = Dispatches.endpoint(2, Transactions.TENANT);
    private final InFlight inFlight = new InFlight(Settings.of(
            WebhookProperties.class,
            "ligeiro.webhook.in-flight-max=10",
            "ligeiro.webhook.in-flight-per-tenant-max=10",
            "ligeiro.webhook.in-flight-per-endpoint-max=1"));
    private final Map<Dispatch, Sinks.One<Completed>> begun = new IdentityHashMap<>();
    private final List<Completed> late = new ArrayList<>();
    private final AtomicBoolean mayStart = new AtomicBoolean(true);
    private final AtomicBoolean ended = new AtomicBoolean();

    @Test
    void attemptsToOneEndpointStartOneAfterTheOther() {
        Dispatch first = dispatch(quick);
        Dispatch second = dispatch(quick);
        Running batch = start(first, second);
        assertThat(begun).containsOnlyKeys(first);

        end(first);
        assertThat(begun).containsOnlyKeys(first, second);
        assertThat(ended).isFalse();

        end(second);
        assertThat(ended).isTrue();
        assertThat(batch.close().completed()).hasSize(2);
    }

    @Test
    void anEndpointAtItsLimitDoesNotDelayTheBatch() {
        inFlight.tryAcquire(slow);
        Dispatch stuck = dispatch(slow);
        Dispatch other = dispatch(quick);
        Running batch = start(stuck, other);
        assertThat(ended).isFalse();

        end(other);

        assertThat(ended).isTrue();
        Result result = batch.close();
        assertThat(result.completed()).extracting(Completed::dispatch).containsExactly(other);
        assertThat(result.running()).isEmpty();
        assertThat(result.notStarted()).containsExactly(stuck);
    }

    /** The first blocked endpoint is still at its limit, the second one is not. */
    @Test
    void aBatchDoesNotEndWhileABlockedEndpointHasAPermitAgain() {
        WebhookEndpoint third = Dispatches.endpoint(3, Transactions.TENANT);
        inFlight.tryAcquire(slow);
        inFlight.tryAcquire(quick);
        Dispatch stuck = dispatch(slow);
        Dispatch freed = dispatch(quick);
        Dispatch other = dispatch(third);
        Running batch = start(stuck, freed, other);
        inFlight.release(quick);

        end(other);
        assertThat(ended).isFalse();
        assertThat(begun).containsOnlyKeys(other, freed);

        end(freed);
        assertThat(ended).isTrue();
        assertThat(batch.close().notStarted()).containsExactly(stuck);
    }

    @Test
    void anAttemptThatEndsAfterTheBatchIsLate() {
        Dispatch running = dispatch(slow);
        Dispatch waiting = dispatch(slow);
        Running batch = start(running, waiting);

        Result result = batch.close();
        end(running);

        assertThat(result.running()).containsExactly(running);
        assertThat(result.notStarted()).containsExactly(waiting);
        assertThat(late).extracting(Completed::dispatch).containsExactly(running);
        assertThat(begun).containsOnlyKeys(running);
        assertThat(inFlight.total()).isZero();
    }

    /** The endpoint's lane, which has a circuit breaker, makes the others. */
    @Test
    void tenFailuresInARowEndTheAttemptsToTheirEndpoint() {
        Dispatch[] dispatches =
                IntStream.range(0, 15).mapToObj(i -> dispatch(quick)).toArray(Dispatch[]::new);
        Running batch = start(dispatches);
        for (int i = 0; i < 10; i++) {
            end(dispatches[i], AttemptOutcome.REJECTED);
        }
        assertThat(ended).isTrue();
        assertThat(begun).hasSize(10);
        assertThat(batch.close().notStarted()).hasSize(5);
    }

    @ParameterizedTest
    @CsvSource({"429, 2, 1", "503, 2, 1", "429,, 2", "500, 2, 2", "429, 0, 2"})
    void anEndpointThatAsksForAPauseGetsNoFurtherAttempt(int status, @Nullable Long retryAfterSeconds, int attempts) {
        Dispatch first = dispatch(quick);
        Duration retryAfter = retryAfterSeconds == null ? null : Duration.ofSeconds(retryAfterSeconds);
        start(first, dispatch(quick));
        end(new Completed(first, new Attempt(NOW, AttemptOutcome.REJECTED, status, Duration.ofMillis(5)), retryAfter));
        assertThat(begun).hasSize(attempts);
    }

    @Test
    void anAttemptWithoutALookupIsLeftToTheLaneWithTheRestOfItsLine() {
        Dispatch first = dispatch(quick);
        Dispatch second = dispatch(quick);
        Running batch = start(first, second);

        Objects.requireNonNull(begun.get(first)).tryEmitError(new TooManyLookups());

        assertThat(ended).isTrue();
        assertThat(begun).containsOnlyKeys(first);
        assertThat(batch.close().notStarted()).containsExactly(first, second);
        assertThat(inFlight.total()).isZero();
    }

    /** So a delivery of the next batch does not overtake those of this one that wait for a permit. */
    @Test
    void thePermitOfAnEndedAttemptGoesToTheNextDeliveryOfItsLine() {
        Dispatch first = dispatch(quick);
        Dispatch second = dispatch(quick);
        start(first, second);
        Dispatch ofTheNextBatch = dispatch(quick);
        Dispatch other = dispatch(slow);
        Running next = start(ofTheNextBatch, other);

        end(first);
        end(other);

        assertThat(begun).containsOnlyKeys(first, second, other);
        assertThat(next.close().notStarted()).containsExactly(ofTheNextBatch);
    }

    @Test
    void aCanceledBatchStartsNoFurtherAttempt() {
        Dispatch first = dispatch(quick);
        Running batch = start(first, dispatch(quick));
        batch.cancel();
        end(first);

        assertThat(begun).containsOnlyKeys(first);
        assertThat(inFlight.total()).isZero();
    }

    /** The consumer has lost its partitions. */
    @Test
    void aBatchThatMayStartNoFurtherAttemptEndsWithTheRunningOnes() {
        Dispatch first = dispatch(quick);
        Dispatch waiting = dispatch(quick);
        Running batch = start(first, waiting);
        mayStart.set(false);
        end(first);

        assertThat(ended).isTrue();
        assertThat(begun).containsOnlyKeys(first);
        Result result = batch.close();
        assertThat(result.completed()).extracting(Completed::dispatch).containsExactly(first);
        assertThat(result.notStarted()).containsExactly(waiting);
    }

    private Running start(Dispatch... dispatches) {
        Running batch = new Running(List.of(dispatches), this::attempt, inFlight, mayStart::get, late::add);
        batch.start().subscribe(nothing -> {}, never -> {}, () -> ended.set(true));
        return batch;
    }

    private Mono<Completed> attempt(Dispatch dispatch) {
        Sinks.One<Completed> end = Sinks.one();
        begun.put(dispatch, end);
        return end.asMono();
    }

    private void end(Dispatch dispatch) {
        end(dispatch, AttemptOutcome.DELIVERED);
    }

    private void end(Dispatch dispatch, AttemptOutcome outcome) {
        Attempt attempt = new Attempt(NOW, outcome, 204, Duration.ofMillis(5));
        end(new Completed(dispatch, attempt, null));
    }

    private void end(Completed completed) {
        Objects.requireNonNull(begun.get(completed.dispatch())).tryEmitValue(completed);
    }

    /** Each is a new object: a batch tells them apart by identity. */
    private static Dispatch dispatch(WebhookEndpoint endpoint) {
        return Dispatches.to(endpoint);
    }
}
