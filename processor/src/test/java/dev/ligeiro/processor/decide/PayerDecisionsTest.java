package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.ALL;
import static dev.ligeiro.processor.decide.Situations.INQUIRE_AFTER;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static dev.ligeiro.processor.decide.Situations.SECRET;
import static dev.ligeiro.processor.decide.Situations.answer;
import static dev.ligeiro.processor.decide.Situations.decide;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.PayerRules;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RailReturn;
import dev.ligeiro.transaction.Redaction;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A payment by another is found, announced and refunded once, and an unknown payer is none. */
class PayerDecisionsTest {

    private static final String DOCUMENT =
            Transactions.goldenCashin().terms().payer().document();
    private static final String OTHER = "11144477735";
    private static final PayerRules REFUNDS = new PayerRules(true, true, false);
    private static final PayerRules TELLS = new PayerRules(true, false, false);

    /** A bank that can be asked. */
    private static final RailFacts FACTS = facts(true);

    private static RailFacts facts(boolean tellsPayer) {
        return new RailFacts(
                "bank",
                Situations.LATE_ARRIVAL,
                INQUIRE_AFTER,
                RailFacts.Inquiry.BY_ID,
                false,
                10,
                Duration.ofSeconds(10),
                transaction -> false,
                Duration.ZERO,
                tellsPayer,
                Instant.EPOCH);
    }

    private static Transaction pending(@Nullable PayerRules rules) {
        return Transactions.like(Situations.at(Operation.CASHIN, Status.PENDING))
                .payerRules(rules)
                .build()
                .with(Situations.call());
    }

    private static RailOutcome.Settled settled(@Nullable Payer payer, @Nullable Boolean matches) {
        return new RailOutcome.Settled(new Settlement("E1", NOW, payer), List.of(), matches);
    }

    private static TransactionCommand told(Transaction asked, @Nullable Payer payer, @Nullable Boolean matches) {
        return answer(asked, RailCallKind.INQUIRE, 1, settled(payer, matches));
    }

    /** A cashin that is paid, by somebody whom the rail has not named. */
    private static Transaction asking(PayerRules rules) {
        Transaction pending = pending(rules);
        return decide(pending, told(pending, null, null), FACTS, NOW).after().withCallSecret(SECRET);
    }

    @ParameterizedTest(name = "the bank names {0}")
    @CsvSource({
        // tax id, mismatch, whether the rail is asked
        "52998224725,    false, false",
        "***.982.247-**, false, true",
        ",               false, true",
        "11144477735,    true,  false",
        "***.444.777-**, true,  false",
    })
    void thePayerThatTheRailNamesIsCompared(@Nullable String taxId, boolean mismatch, boolean asks) {
        assertThat(DOCUMENT).isEqualTo("52998224725");
        Transaction pending = pending(TELLS);

        Transaction paid = decide(pending, told(pending, Payer.of("João", taxId, null), null), FACTS, NOW)
                .after();

        assertThat(paid.status()).isEqualTo(Status.PAID);
        assertThat(paid.history().hasPayerMismatch()).isEqualTo(mismatch);
        assertThat(paid.railCall(null).filter(RailCall::checksPayer).isPresent())
                .isEqualTo(asks);
        assertThat(paid.history().refunds()).isEmpty();
    }

    @Test
    void noPayerIsComparedWhereNoneMustMatch() {
        for (PayerRules rules : new PayerRules[] {null, new PayerRules(false, true, true)}) {
            Transaction pending = pending(rules);

            Decision decision = decide(pending, told(pending, Payer.of(null, OTHER, null), null), FACTS, NOW);

            assertThat(decision.after().history().hasPayerMismatch()).isFalse();
            assertThat(decision.after().railCalls()).isEmpty();
            assertThat(decision.after().history().settlement().orElseThrow().payer())
                    .isEqualTo(Payer.of(null, OTHER, null));
        }
    }

    @Test
    void aMismatchIsRefundedOnceHoweverOftenItIsTold() {
        Transaction pending = pending(REFUNDS);
        TransactionCommand told = told(pending, Payer.of(null, OTHER, null), null);
        RefundId refund = RefundId.ofPayerMismatch(pending.id());

        CommandRun first = Situations.run(pending, Situations.rules(FACTS), NOW, told);

        assertThat(first.update()).isPresent();
        CommandRun stored = first.written();
        assertThat(Objects.requireNonNull(stored.railRequest()).refund()).isEqualTo(refund);
        assertThat(Objects.requireNonNull(stored.railRequest()).call()).isEqualTo(RailCallKind.SUBMIT);
        Transaction refunding = stored.stored();
        assertThat(refunding.history().refunds())
                .extracting(Refund::id, Refund::amount, Refund::source, Refund::reason, Refund::state)
                .containsExactly(tuple(refund, ALL, Source.SYSTEM, "payer_mismatch", Refund.State.PROCESSING));
        // a process that ended after the write: the command comes again, submits nothing, and its events are sent again
        CommandRun again = Situations.run(refunding, Situations.rules(FACTS), NOW.plusSeconds(9), told);
        assertThat(again.railRequest()).isNull();
        assertThat(again.decided().history()).isEqualTo(refunding.history());
        assertThat(again.written().events().map(TransactionEvent::sequence)).containsExactly(2, 3);
        assertThat(again.written().bookEvents()).hasSize(1);
        // the open call of the refund is looked at when it is due
        assertThat(refunding.railCall(refund)).isPresent();
        assertThat(decide(refunding, told(refunding, Payer.of(null, OTHER, null), null), FACTS, NOW)
                        .after())
                .isEqualTo(refunding);
    }

    @Test
    void aRailThatNamesNobodyIsAskedAfterAPauseAndItsAnswerCountsOnce() {
        Transaction asking = asking(REFUNDS);

        assertThat(asking.dueAt()).isEqualTo(NOW.plus(INQUIRE_AFTER));
        assertThat(asking.unsettledSince()).as("no money is unknown").isNull();
        Decision due = decide(asking, Situations.dueCheck(asking), FACTS, NOW.plus(INQUIRE_AFTER));
        assertThat(Objects.requireNonNull(due.railRequest()).call()).isEqualTo(RailCallKind.INQUIRE);
        assertThat(due.after().railCall(null).orElseThrow().checksPayer()).isTrue();
        Transaction matched =
                decide(asking, told(asking, null, true), FACTS, NOW).after();
        assertThat(matched.railCalls()).isEmpty();
        assertThat(matched.history()).isEqualTo(asking.history());
        Decision mismatched = decide(asking, told(asking, null, false), FACTS, NOW);
        assertThat(mismatched.after().history().hasPayerMismatch()).isTrue();
        assertThat(Objects.requireNonNull(mismatched.railRequest()).refund())
                .isEqualTo(RefundId.ofPayerMismatch(asking.id()));
        // the same answer from another process
        assertThat(decide(mismatched.after(), told(asking, null, false), FACTS, NOW)
                        .after())
                .isEqualTo(mismatched.after());
    }

    /** A processor that was killed may have asked before, and its answer comes again: it is neither forged nor counts. */
    @Test
    void theAnswerOfAnEarlierCallDecidesNothingAndIsNoDeadLetter() {
        Transaction asking = asking(TELLS);
        TransactionCommand.RailAnswer told =
                (TransactionCommand.RailAnswer) told(asking, Payer.of("João", OTHER, null), null);

        CommandRun earlier = Situations.run(asking, Situations.rules(FACTS), NOW, told.signedWith(new UUID(7, 7)));
        CommandRun answered = Situations.run(asking, Situations.rules(FACTS), NOW, told);

        assertThat(earlier.outcomes()).containsExactly(CommandOutcome.UNCHANGED);
        Transaction stillAsking = earlier.update().orElseThrow().after();
        assertThat(stillAsking.history()).isEqualTo(asking.history());
        assertThat(stillAsking.railCalls()).isEqualTo(asking.railCalls());
        assertThat(answered.update().orElseThrow().after().history().hasPayerMismatch())
                .isTrue();
    }

    @Test
    void anUnknownPayerIsAskedForAnHourAndIsNoMismatch() {
        Transaction asking = asking(REFUNDS);
        TransactionCommand unknown = told(asking, null, null);

        Transaction early =
                decide(asking, unknown, FACTS, NOW.plusSeconds(3_599)).after();
        Transaction late =
                decide(asking, unknown, FACTS, NOW.plusSeconds(3_600)).after();

        assertThat(early.railCall(null).orElseThrow().checksPayer()).isTrue();
        assertThat(Situations.dueAt(early)).isAfter(NOW.plusSeconds(3_599));
        assertThat(late.railCalls()).isEmpty();
        assertThat(late.history()).isEqualTo(asking.history());
        Transaction pending = pending(REFUNDS);
        assertThat(decide(pending, told(pending, null, null), facts(false), NOW)
                        .after()
                        .railCalls())
                .isEmpty();
    }

    @Test
    void onlyWhatIsLeftIsRefunded() {
        Transaction asking = asking(REFUNDS);
        RailOutcome partly = new RailOutcome.Settled(
                new Settlement("E1", NOW),
                List.of(new RailOutcome.Returned("D1", new Amount(100), RailReturn.of("MED_FRAUDE", "D7"))),
                false);
        RailOutcome all =
                new RailOutcome.Settled(new Settlement("E1", NOW), List.of(new RailOutcome.Returned("D1", ALL)), false);

        assertThat(decide(asking, answer(asking, RailCallKind.INQUIRE, 1, partly), FACTS, NOW)
                        .after()
                        .history()
                        .refunds())
                .extracting(Refund::amount, Refund::source, Refund::rail)
                .containsExactly(
                        tuple(new Amount(100), Source.RAIL, new RailReturn("MED_FRAUDE", "D7")),
                        tuple(new Amount(ALL.cents() - 100), Source.SYSTEM, null));
        Decision returned = decide(asking, answer(asking, RailCallKind.INQUIRE, 1, all), FACTS, NOW);
        assertThat(returned.after().status()).isEqualTo(Status.REFUND);
        assertThat(returned.after().history().hasPayerMismatch()).isTrue();
        assertThat(returned.railRequest()).isNull();
    }

    /** Anyone may have a bank send a report: its payer is shown, and the rail is asked before money moves. */
    @Test
    void aReportNamesThePayerButDecidesNothing() {
        Transaction pending = Transactions.like(Situations.at(Operation.CASHIN, Status.PENDING))
                .payerRules(REFUNDS)
                .build();
        Payer other = Objects.requireNonNull(Payer.of("João", OTHER, null));
        TransactionCommand notice =
                new TransactionCommand.RailNotice(pending.id(), "bank", "E1", null, Amount.ZERO, other, NOW);

        Transaction reported = decide(pending, notice, FACTS, NOW).after().withCallSecret(SECRET);
        Transaction paid = decide(reported, answer(reported, RailCallKind.INQUIRE, 1, settled(null, null)), FACTS, NOW)
                .after();
        Transaction byAnother = decide(
                        reported,
                        answer(
                                reported,
                                RailCallKind.INQUIRE,
                                1,
                                new RailOutcome.Settled(new Settlement("E2", NOW), List.of())),
                        FACTS,
                        NOW)
                .after();

        assertThat(paid.history().settlement().orElseThrow().payer()).isEqualTo(other);
        assertThat(paid.history().hasPayerMismatch()).isFalse();
        assertThat(paid.railCall(null).orElseThrow().checksPayer()).isTrue();
        assertThat(byAnother.history().settlement().orElseThrow().payer()).isNull();
    }

    /** Catch-up has found the payment before its report, and the bank did not tell who has paid. */
    @ParameterizedTest(name = "the report names {0}: asks {2}")
    @CsvSource({
        // tax id, whether the bank can be asked, whether it is
        "11144477735,    true,  true",
        "***.444.777-**, true,  true",
        "11144477735,    false, false",
        "52998224725,    true,  false",
        "***.982.247-**, true,  false",
    })
    void aLaterReportNamesThePayerOnceAndHasTheRailAsked(String taxId, boolean tellsPayer, boolean asks) {
        Transaction asking = asking(REFUNDS);
        Instant later = NOW.plusSeconds(3_600);
        Transaction unknown =
                decide(asking, told(asking, null, null), FACTS, later).after();
        Payer payer = Objects.requireNonNull(Payer.of("João", taxId, null));
        TransactionCommand notice =
                new TransactionCommand.RailNotice(unknown.id(), "bank", "E1", ALL, Amount.ZERO, payer, later);

        Transaction named = decide(unknown, notice, facts(tellsPayer), later).after();

        assertThat(named.history().payer()).contains(payer);
        assertThat(named.history().sequence()).isEqualTo(unknown.history().sequence());
        assertThat(named.history().hasPayerMismatch()).isFalse();
        assertThat(named.railCall(null).filter(RailCall::checksPayer).isPresent())
                .isEqualTo(asks);
        assertThat(decide(named, notice, facts(tellsPayer), later.plusSeconds(1))
                        .after())
                .as("redelivered")
                .isSameAs(named);
        if (asks) {
            Transaction asked = named.withCallSecret(SECRET);
            Decision mismatched = decide(asked, told(asked, null, false), FACTS, later);
            assertThat(mismatched.after().history().hasPayerMismatch()).isTrue();
            assertThat(decide(asked, told(asked, null, true), FACTS, later)
                            .after()
                            .history())
                    .isEqualTo(named.history());
        }
    }

    @Test
    void aReportOfAnotherPaymentNamesNobody() {
        Transaction asking = asking(REFUNDS);
        Payer payer = Payer.of("João", OTHER, null);
        TransactionCommand notice =
                new TransactionCommand.RailNotice(asking.id(), "bank", "E2", ALL, Amount.ZERO, payer, NOW);

        assertThat(decide(asking, notice, FACTS, NOW).after().history().payer()).isEmpty();
        Transaction removed = Redaction.of(asking);
        TransactionCommand ofIt =
                new TransactionCommand.RailNotice(asking.id(), "bank", "E1", ALL, Amount.ZERO, payer, NOW);
        assertThat(decide(removed, ofIt, FACTS, NOW).after().history()).isEqualTo(removed.history());
    }

    /** It has expired, been erased, and is paid after all. */
    @Test
    void nobodyIsComparedWithARemovedDocumentAndItsPayerIsNotKept() {
        Transaction expired = Redaction.of(Transactions.like(Situations.at(Operation.CASHIN, Status.EXPIRED))
                        .payerRules(REFUNDS)
                        .build())
                .with(Situations.call());
        for (Payer payer : new Payer[] {Payer.of("João", OTHER, null), null}) {
            Transaction paid =
                    decide(expired, told(expired, payer, null), FACTS, NOW).after();

            assertThat(paid.status()).isEqualTo(Status.PAID);
            assertThat(paid.history().hasPayerMismatch()).isFalse();
            assertThat(paid.railCalls()).isEmpty();
            assertThat(paid.history().settlement()).contains(new Settlement("E1", NOW));
        }
    }

    @Test
    void theSandboxPaysAsAnother() {
        Transaction pending = Transactions.like(Situations.at(Operation.CASHIN, Status.PENDING))
                .payerRules(REFUNDS)
                .build();
        TransactionCommand pay =
                Situations.change(pending, new ChangeAction.Sandbox(SandboxAction.PAY, Payer.of(null, OTHER, null)));

        Decision paid = decide(pending, pay, Situations.BY_ID, NOW);

        assertThat(paid.after().history().entries())
                .extracting(Object::getClass)
                .endsWith(Entry.StatusChanged.class, Entry.PayerMismatch.class, Entry.RefundRequested.class);
        assertThat(paid.railRequest()).isNotNull();
        assertThat(decide(paid.after(), pay, Situations.BY_ID, NOW)).isEqualTo(Decision.store(paid.after()));
    }
}
