package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.ALL;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.BY_RESUBMISSION;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static dev.ligeiro.processor.decide.Situations.answer;
import static dev.ligeiro.processor.decide.Situations.decide;
import static dev.ligeiro.processor.decide.Situations.lastEntry;
import static dev.ligeiro.processor.decide.Situations.takenOver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A rejection counts when it cannot be that of a repeated call whose first one worked. */
class RejectionDecisionsTest {

    private static final RailOutcome NOT_FOUND = new RailOutcome.NotFound();
    private static final RailOutcome REJECTED = new RailOutcome.Rejected("no_funds");
    private static final RailOutcome SETTLED = RailOutcome.Settled.asAgreed();

    private final Transaction inProcess = Situations.at(Operation.CASHOUT, Status.IN_PROCESS);

    @Test
    void aRejectedFirstSubmissionIsADenial() {
        Transaction denied = decide(inProcess, answer(inProcess, RailCallKind.SUBMIT, 1, REJECTED), BY_ID, NOW)
                .after();

        assertThat(lastEntry(denied))
                .isEqualTo(new Entry.StatusChanged(Status.DENIED, NOW, Source.RAIL, "no_funds", null, null));
        assertThat(denied.railCalls()).isEmpty();
    }

    @Test
    void aRejectedRepetitionIsReadBackAndCountsWhenTheRailHasNotFoundIt() {
        Transaction again = takenOver();

        Decision rejected = decide(again, answer(again, RailCallKind.SUBMIT, 2, REJECTED), BY_ID, NOW);
        assertThat(rejected.railRequest()).isEqualTo(new RailRequest(RailCallKind.INQUIRE, null, 2, 2));
        assertThat(rejected.after().status()).isEqualTo(Status.IN_PROCESS);

        Decision early = notFound(rejected.after(), NOW.plusSeconds(59));
        assertThat(early.railRequest()).isNull();
        assertThat(early.after().status()).isEqualTo(Status.IN_PROCESS);

        Decision denied = notFound(early.after(), NOW.plusSeconds(60));
        assertThat(denied.railRequest()).isNull();
        assertThat(lastEntry(denied.after()))
                .isEqualTo(new Entry.StatusChanged(
                        Status.DENIED, NOW.plusSeconds(60), Source.RAIL, "no_funds", null, null));
    }

    @Test
    void aRejectedRepetitionIsPaidWhenTheFirstSubmissionHadWorked() {
        Transaction again = takenOver();
        Transaction rejected = decide(again, answer(again, RailCallKind.SUBMIT, 2, REJECTED), BY_ID, NOW)
                .after();

        assertThat(decide(rejected, answer(rejected, RailCallKind.INQUIRE, 2, SETTLED), BY_ID, NOW)
                        .after()
                        .status())
                .isEqualTo(Status.PAID);
    }

    @Test
    void aRejectedResubmissionOfARailThatRepeatsItsAnswerIsADenial() {
        Transaction again = takenOver();

        assertThat(decide(again, answer(again, RailCallKind.SUBMIT, 2, REJECTED), BY_RESUBMISSION, NOW)
                        .after()
                        .status())
                .isEqualTo(Status.DENIED);
    }

    @Test
    void aRefundThatTheRailRejectsFailsAndFreesItsAmount() {
        Transaction refunding = Situations.withRefund(Situations.at(Operation.CASHIN, Status.PAID), ALL);
        TransactionCommand rejected = Situations.refundAnswer(refunding, RailCallKind.SUBMIT, REJECTED);

        Transaction failed = decide(refunding, rejected, BY_ID, NOW).after();

        assertThat(lastEntry(failed)).isEqualTo(new Entry.RefundFailed(Situations.REFUND, "no_funds", NOW));
        assertThat(failed.railCalls()).isEmpty();
        assertThat(decide(failed, rejected, BY_ID, NOW).after()).isSameAs(failed);
        assertThat(decide(failed, Situations.change(failed, Situations.refund(ALL)), BY_ID, NOW)
                        .railRequest())
                .isNotNull();
    }

    /** The rail is asked about the second submission and has not found it. */
    private static Decision notFound(Transaction again, Instant now) {
        return decide(again, answer(again, RailCallKind.INQUIRE, 2, now, NOT_FOUND), BY_ID, now);
    }
}
