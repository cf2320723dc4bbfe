package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Transaction;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class RailsTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @Test
    void callsTheRailOfTheTransactionsMode() {
        Rails rails = rails(new FixedRail(Mode.TEST, Mono.just(new RailOutcome.Settled())));

        assertThat(ask(rails)).isEqualTo(new RailOutcome.Settled());
        assertThat(calls("submit", "settled")).isEqualTo(1);
    }

    @Test
    void supportsOnlyModesWithARail() {
        Rails rails = rails(new FixedRail(Mode.TEST, Mono.empty()));

        assertThat(rails.supports(Mode.TEST)).isTrue();
        assertThat(rails.supports(Mode.LIVE)).isFalse();
    }

    @Test
    void anErrorOfARailIsUnknownAndNoDenial() {
        Rails rails = rails(new FixedRail(Mode.TEST, Mono.error(new IllegalStateException("reset"))));

        assertThat(ask(rails)).isEqualTo(new RailOutcome.Unknown());
        assertThat(calls("submit", "unknown")).isEqualTo(1);
    }

    @Test
    void noAnswerOfARailIsUnknown() {
        assertThat(ask(rails(new FixedRail(Mode.TEST, Mono.empty())))).isEqualTo(new RailOutcome.Unknown());
    }

    @Test
    void aModeHasAtMostOneRail() {
        FixedRail rail = new FixedRail(Mode.TEST, Mono.empty());

        assertThatThrownBy(() -> rails(rail, rail))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rails: two for mode TEST (expected: at most one)");
    }

    private Rails rails(PaymentRail... rails) {
        return new Rails(List.of(rails), meters);
    }

    private static RailOutcome ask(Rails rails) {
        return rails.ask(RailCall.SUBMIT, Transactions.goldenCashout())
                .blockOptional()
                .orElseThrow();
    }

    private double calls(String call, String outcome) {
        return meters.counter("ligeiro.rail.calls", "call", call, "outcome", outcome)
                .count();
    }

    private record FixedRail(Mode mode, Mono<RailOutcome> outcome) implements PaymentRail {

        @Override
        public Mono<RailOutcome> submit(Transaction transaction) {
            return outcome;
        }

        @Override
        public Mono<RailOutcome> inquire(Transaction transaction) {
            return outcome;
        }
    }
}
