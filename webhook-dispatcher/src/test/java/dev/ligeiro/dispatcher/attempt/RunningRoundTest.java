package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.attempt.AttemptRound.RoundResult;
import dev.ligeiro.dispatcher.delivery.CompletedDispatch;
import dev.ligeiro.dispatcher.delivery.CompletedDispatch.Successful;
import dev.ligeiro.dispatcher.delivery.PendingDispatch;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.EventType;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class RunningRoundTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:15Z");

    private final WebhookEndpoint slow = endpoint(1);
    private final WebhookEndpoint quick = endpoint(2);
    private final InFlight inFlight = new InFlight(Settings.of(
            WebhookProperties.class,
            "ligeiro.webhook.in-flight-max=10",
            "ligeiro.webhook.in-flight-per-endpoint-max=1"));
    private final Map<PendingDispatch, Sinks.One<CompletedDispatch>> begun = new LinkedHashMap<>();
    private final List<CompletedDispatch> late = new ArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();

    @Test
    void attemptsToOneEndpointStartOneAfterTheOther() {
        PendingDispatch first = dispatch(quick);
        PendingDispatch second = dispatch(quick);
        RunningRound round = start(first, second);
        assertThat(begun).containsOnlyKeys(first);

        end(first);
        assertThat(begun).containsOnlyKeys(first, second);
        assertThat(ended).isFalse();

        end(second);
        assertThat(ended).isTrue();
        assertThat(round.close().completed()).hasSize(2);
    }

    @Test
    void anEndpointAtItsLimitDoesNotDelayTheRound() {
        inFlight.tryAcquire(slow.id());
        PendingDispatch stuck = dispatch(slow);
        PendingDispatch other = dispatch(quick);
        RunningRound round = start(stuck, other);
        assertThat(ended).isFalse();

        end(other);

        assertThat(ended).isTrue();
        RoundResult result = round.close();
        assertThat(result.completed()).extracting(CompletedDispatch::dispatch).containsExactly(other);
        assertThat(result.running()).isEmpty();
        assertThat(result.notStarted()).containsExactly(stuck);
    }

    @Test
    void aRoundThatCanStartNothingEndsAtOnce() {
        inFlight.tryAcquire(slow.id());

        RunningRound round = start(dispatch(slow), dispatch(slow));

        assertThat(ended).isTrue();
        assertThat(round.close().notStarted()).hasSize(2);
    }

    @Test
    void anAttemptThatEndsAfterTheRoundIsLate() {
        PendingDispatch running = dispatch(slow);
        PendingDispatch waiting = dispatch(slow);
        RunningRound round = start(running, waiting);

        RoundResult result = round.close();
        end(running);

        assertThat(result.running()).containsExactly(running);
        assertThat(result.notStarted()).containsExactly(waiting);
        assertThat(late).extracting(CompletedDispatch::dispatch).containsExactly(running);
        assertThat(begun).containsOnlyKeys(running);
        assertThat(inFlight.total()).isZero();
    }

    private RunningRound start(PendingDispatch... dispatches) {
        RunningRound round = new RunningRound(List.of(dispatches), this::attempt, inFlight, late::add);
        round.allEnded().subscribe(nothing -> {}, never -> {}, () -> ended.set(true));
        round.start();
        return round;
    }

    private Mono<CompletedDispatch> attempt(PendingDispatch dispatch) {
        Sinks.One<CompletedDispatch> end = Sinks.one();
        begun.put(dispatch, end);
        return end.asMono();
    }

    private void end(PendingDispatch dispatch) {
        Attempt attempt = new Attempt(NOW, AttemptOutcome.DELIVERED, 204, Duration.ofMillis(5));
        Objects.requireNonNull(begun.get(dispatch)).tryEmitValue(new Successful(dispatch, attempt));
    }

    private static PendingDispatch dispatch(WebhookEndpoint endpoint) {
        EventId event = new EventId(TransactionId.at(NOW), 2);
        return new PendingDispatch(endpoint, event, EventType.PAID.code(), NOW, new byte[0], List.of());
    }

    private static WebhookEndpoint endpoint(int number) {
        return Endpoints.endpoint(new UUID(0, number), new Tenant(14), "https://merchant.example/hook");
    }
}
