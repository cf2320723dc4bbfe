package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.Dispatches;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CompletedTest {

    private static final Instant NOW = Dispatches.AT.plusSeconds(1);

    private final Dispatch dispatch = Dispatches.to(Dispatches.endpoint(1, Transactions.TENANT));
    private final Attempt attempt = new Attempt(Dispatches.AT, AttemptOutcome.REJECTED, 500, Duration.ofMillis(3));

    /** Otherwise thousands of payloads stay in memory while MongoDB is slow. */
    @Test
    void aResultThatWaitsToBeWrittenNeedsNoPayload() {
        Completed completed = new Completed(dispatch, attempt, Duration.ofSeconds(2));
        DeliveryState state = DeliveryState.scheduled(NOW.plusSeconds(5));

        Completed kept = completed.withoutPayload();
        Delivery delivery = kept.delivery(state, NOW);

        assertThat(kept.dispatch().body()).isEmpty();
        assertThat(delivery).isEqualTo(completed.delivery(state, NOW));
        assertThat(delivery.body()).isNull();
        assertThat(kept.retryAfter()).isEqualTo(completed.retryAfter());
    }
}
