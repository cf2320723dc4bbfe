package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.BY_RESUBMISSION;
import static dev.ligeiro.processor.decide.Situations.EXPIRY;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static dev.ligeiro.processor.decide.Situations.REMOTE;
import static dev.ligeiro.processor.decide.Situations.answer;
import static dev.ligeiro.processor.decide.Situations.decide;
import static dev.ligeiro.processor.decide.Situations.lastEntry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The registration of a cashin's charge: a charge that a payer may pay is never denied. */
class ChargeDecisionsTest {

    private static final RailOutcome PENDING = new RailOutcome.Pending();
    private static final RailOutcome NOT_FOUND = new RailOutcome.NotFound();
    private static final RailOutcome REJECTED = new RailOutcome.Rejected("duplicate_id");
    private static final RailRequest SUBMIT = new RailRequest(RailCallKind.SUBMIT, null, 1, 1);
    private static final RailRequest INQUIRE = new RailRequest(RailCallKind.INQUIRE, null, 1, 1);

    private final Transaction created = Situations.created(Operation.CASHIN);
    private final Transaction accepted = Situations.at(Operation.CASHIN, Status.PENDING);
    private final Transaction waiting = accepted.with(RailCall.first(null, NOW, NOW.plusSeconds(15)));

    /** The batch was retried after the first registration had worked. */
    @Test
    void aRejectedRegistrationThatMayBeTheSecondIsReadBackBeforeItCounts() {
        Decision rejected = RailDecisions.decide(created, SUBMIT, NOW, REJECTED, BY_ID, NOW);
        assertThat(rejected).isEqualTo(Decision.inquire(created, null));

        Transaction payable =
                RailDecisions.decide(created, INQUIRE, NOW, PENDING, BY_ID, NOW).after();
        assertThat(payable).isEqualTo(created.accept());
    }

    @Test
    void aRejectedRegistrationCountsWhenTheRailDoesNotKnowTheCharge() {
        Instant counts = NOW.plusSeconds(60);
        Transaction rejected = decide(waiting, answer(waiting, RailCallKind.SUBMIT, 1, REJECTED), BY_ID, NOW)
                .after();

        Decision early = decide(
                rejected,
                answer(rejected, RailCallKind.INQUIRE, 1, counts.minusMillis(1), NOT_FOUND),
                BY_ID,
                counts.minusMillis(1));
        assertThat(early.after().status()).isEqualTo(Status.PENDING);
        assertThat(early.railRequest()).isNull();

        Transaction denied = decide(
                        early.after(), answer(early.after(), RailCallKind.INQUIRE, 1, counts, NOT_FOUND), BY_ID, counts)
                .after();
        assertThat(lastEntry(denied))
                .isEqualTo(new Entry.StatusChanged(Status.DENIED, counts, Source.RAIL, "duplicate_id", null, null));
    }

    @Test
    void aRailThatRepeatsItsAnswerIsNotReadBack() {
        assertThat(RailDecisions.decide(created, SUBMIT, NOW, REJECTED, BY_RESUBMISSION, NOW)
                        .after()
                        .status())
                .isEqualTo(Status.DENIED);
    }

    @Test
    void aRejectedSecondRegistrationDoesNotDenyAnAcceptedCashin() {
        for (RailFacts facts : List.of(BY_ID, REMOTE)) {
            assertThat(decide(accepted, answer(accepted, RailCallKind.SUBMIT, 1, REJECTED), facts, NOW))
                    .isEqualTo(Decision.store(accepted));
        }
    }

    @Test
    void aCashinDoesNotExpireByAnAnswerFromBeforeItsExpiry() {
        Instant before = EXPIRY.minusMillis(1);

        Transaction waiting = decide(
                        accepted,
                        answer(accepted, RailCallKind.INQUIRE, 1, before, PENDING),
                        BY_ID,
                        EXPIRY.plusSeconds(9))
                .after();

        assertThat(waiting.status()).isEqualTo(Status.PENDING);
        assertThat(decide(waiting, Situations.dueCheck(waiting), BY_ID, EXPIRY.plusSeconds(9))
                        .railRequest())
                .isEqualTo(new RailRequest(RailCallKind.INQUIRE, null, 1, 1));
    }
}
