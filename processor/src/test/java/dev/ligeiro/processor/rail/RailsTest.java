package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RailsTest {

    private static final Instant BEGAN = Transactions.CREATED_AT;
    private static final RailRequest SUBMIT = new RailRequest(RailCallKind.SUBMIT, null, 1, 1);
    private static final RailRequest INQUIRE = new RailRequest(RailCallKind.INQUIRE, null, 1, 1);
    private static final RestoreProperties NEVER_RESTORED = new RestoreProperties(Instant.EPOCH);
    private static final SharedRails NONE_SHARED = new SharedRails(List.of());
    private static final RailOutcome SETTLED = RailOutcome.Settled.asAgreed();

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Transaction cashout = Transactions.goldenCashout()
            .moveTo(Status.IN_PROCESS, BEGAN, Source.SYSTEM)
            .with(RailCall.first(null, BEGAN, BEGAN.plusSeconds(15)));

    @Test
    void callsTheRailOfTheTransactionAndCountsTheCall() {
        FixedRail rail = FixedRail.answering("simulator", SETTLED);

        CompletableFuture<RailOutcome> outcome = rails(rail, BEGAN).ask(SUBMIT, cashout);

        assertThat(outcome).isCompletedWithValue(SETTLED);
        assertThat(rail.calls).containsExactly("submit");
        assertThat(calls("submit", "settled")).isEqualTo(1);
    }

    @Test
    void aRefundIsSubmittedAndAskedForByItsOwnId() {
        FixedRail rail = FixedRail.answering("simulator", SETTLED);
        Transaction refunding = Transactions.goldenCashin()
                .moveTo(Status.PAID, BEGAN, Source.RAIL)
                .with(new Entry.RefundRequested(
                        Transactions.REFUND, new Amount(1), Source.MERCHANT, null, null, BEGAN, null));

        for (RailCallKind call : List.of(RailCallKind.SUBMIT, RailCallKind.INQUIRE)) {
            rails(rail, BEGAN).ask(new RailRequest(call, Transactions.REFUND, 1, 1), refunding);
        }

        assertThat(rail.calls).containsExactly("refund " + Transactions.REFUND, "inquireRefund " + Transactions.REFUND);
    }

    @Test
    void aFaultOfARailOrAnAnswerWithNothingIsUnknownAndNoDenial() {
        CompletableFuture<RailOutcome> late = new CompletableFuture<>();
        List<FixedRail> rails = List.of(
                FixedRail.failing("simulator"),
                new FixedRail("simulator", () -> {
                    throw new IllegalStateException("bug");
                }),
                new FixedRail("simulator", () -> CompletableFuture.completedFuture(null)),
                new FixedRail("simulator", () -> late));

        List<CompletableFuture<RailOutcome>> outcomes = rails.stream()
                .map(rail -> rails(rail, BEGAN).ask(SUBMIT, cashout))
                .toList();
        late.complete(null);

        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome).isCompletedWithValue(new RailOutcome.Unknown()));
        assertThat(calls("submit", "unknown")).isEqualTo(4);
    }

    @Test
    void aCallWithoutAnAnswerInTimeIsCancelledAndUnknown() {
        CompletableFuture<RailOutcome> answer = new CompletableFuture<>();
        FixedRail rail = new FixedRail("simulator", Duration.ofMillis(20), () -> answer);

        assertThat(rails(rail, BEGAN).ask(SUBMIT, cashout))
                .succeedsWithin(Duration.ofSeconds(10))
                .isEqualTo(new RailOutcome.Unknown());
        assertThat(answer).isCancelled();
    }

    @Test
    void aSubmissionIsNotBegunAfterTheLateArrivalSpan() {
        FixedRail rail = FixedRail.answering("simulator", SETTLED);
        Instant last = BEGAN.plus(FixedRail.LATE_ARRIVAL);

        assertThat(rails(rail, last.plusMillis(1)).ask(SUBMIT, cashout))
                .isCompletedWithValue(new RailOutcome.NotStarted());
        assertThat(rail.calls).isEmpty();

        rails(rail, last).ask(SUBMIT, cashout);
        rails(rail, last.plusMillis(1)).ask(INQUIRE, cashout);
        assertThat(rail.calls).containsExactly("submit", "inquire");
    }

    @Test
    void afterTwentyFaultsASubmissionIsNotStartedAndAnInquiryUnknown() {
        FixedRail rail = FixedRail.failing("simulator");
        Rails rails = rails(rail, BEGAN);
        for (int i = 0; i < 20; i++) {
            rails.ask(SUBMIT, cashout);
        }

        assertThat(rails.ask(SUBMIT, cashout)).isCompletedWithValue(new RailOutcome.NotStarted());
        assertThat(rails.ask(INQUIRE, cashout)).isCompletedWithValue(new RailOutcome.Unknown());
        assertThat(rail.calls).hasSize(20);
        assertThat(meters.get("ligeiro.rail.breakers.open")
                        .tag("rail", "simulator")
                        .gauge()
                        .value())
                .isEqualTo(1);
    }

    /** With the fault, unknown outcomes stayed unknown for as long as there were more submissions than the bank took. */
    @Test
    void anInquiryIsMadeBeforeTheSubmissionsThatWaitHoweverMany() {
        Deque<CompletableFuture<RailOutcome>> open = new ArrayDeque<>();
        FixedRail rail = FixedRail.open("simulator", open);
        Rails rails = rails(rail, BEGAN);
        CompletableFuture<RailOutcome> lastSubmission = Stream.generate(() -> rails.ask(SUBMIT, cashout))
                .limit(2_000)
                .reduce((earlier, later) -> later)
                .orElseThrow();
        assertThat(lastSubmission).isCompletedWithValue(new RailOutcome.NotStarted());

        CompletableFuture<RailOutcome> inquiry = rails.ask(INQUIRE, cashout);
        assertThat(inquiry).isNotDone();
        open.remove().complete(SETTLED);

        assertThat(rail.calls).containsExactly("submit", "submit", "inquire");
    }

    /** Each transaction goes to the rail that is stored with it, but a live one never to the simulator. */
    @Test
    void noOtherRailStandsInForTheStoredOne() {
        Rails rails = new Rails(
                List.of(FixedRail.answering("simulator", SETTLED), FixedRail.answering("bank", SETTLED)),
                NONE_SHARED,
                NEVER_RESTORED,
                meters,
                Clock.systemUTC());
        Transaction live = LiveTransactions.of(cashout);

        assertThat(rails.facts(cashout)).map(RailFacts::name).contains("simulator");
        assertThat(rails.facts(live)).map(RailFacts::name).contains("bank");
        assertThat(meters.get("ligeiro.rail.missing").counter().count()).isZero();
        for (String missing : List.of("closed-bank", "simulator")) {
            assertThat(rails.facts(Transactions.like(live).rail(missing).build()))
                    .isEmpty();
        }
        assertThat(meters.get("ligeiro.rail.missing").counter().count()).isEqualTo(2);
    }

    private Rails rails(FixedRail rail, Instant now) {
        return rails(rail, Clock.fixed(now, ZoneOffset.UTC));
    }

    private Rails rails(FixedRail rail, Clock clock) {
        return new Rails(List.of(rail), NONE_SHARED, NEVER_RESTORED, meters, clock);
    }

    private double calls(String call, String outcome) {
        return meters.counter("ligeiro.rail.calls", "rail", "simulator", "call", call, "outcome", outcome)
                .count();
    }
}
