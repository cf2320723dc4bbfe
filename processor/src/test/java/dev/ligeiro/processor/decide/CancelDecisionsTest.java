package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.EXPIRY;
import static dev.ligeiro.processor.decide.Situations.INQUIRE_AFTER;
import static dev.ligeiro.processor.decide.Situations.LATE_ARRIVAL;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static dev.ligeiro.processor.decide.Situations.REMOTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The cancel of a cashin whose charge the rail keeps, and its expiry with a grace. */
class CancelDecisionsTest {

    private static final Duration GRACE = Duration.ofMinutes(5);
    private static final RailFacts SHOWS_PAYMENTS_LATE = new RailFacts(
            "bank",
            LATE_ARRIVAL,
            INQUIRE_AFTER,
            RailFacts.Inquiry.BY_ID,
            false,
            10,
            Duration.ofSeconds(10),
            transaction -> false,
            GRACE,
            false,
            Instant.EPOCH);
    private static final ChangeRef REQUEST = new ChangeRef(new UUID(7, 7), "key-1");

    private final Transaction pending = Situations.at(Operation.CASHIN, Status.PENDING);
    private final Decision begun = decide(pending, cancel(REQUEST), NOW);

    @Test
    void itIsRepeatedUntilTheRailHasAnswered() {
        Transaction unknown = answered(new RailOutcome.Unknown(), NOW);

        Decision repeated = decide(unknown, Situations.dueCheck(unknown), NOW.plusSeconds(60));

        assertThat(repeated.railRequest()).isEqualTo(new RailRequest(RailCallKind.CANCEL, null, 1, 1));
    }

    @Test
    void theEntryHasTheRequestOnceTheChargeIsRemoved() {
        Transaction canceled = answered(new RailOutcome.Rejected("provider_removed"), NOW);

        assertThat(Situations.lastEntry(canceled))
                .isEqualTo(new Entry.StatusChanged(Status.CANCELED, NOW, Source.MERCHANT, null, null, REQUEST));
        assertThat(canceled.railCalls()).isEmpty();
    }

    @Test
    void aSecondRequestWaitsForTheFirst() {
        Decision second = decide(begun.after(), cancel(new ChangeRef(new UUID(7, 8), null)), NOW);

        assertThat(second.after()).isSameAs(begun.after());
        assertThat(second.railRequest()).isNull();
    }

    /** The charge may still be on its way to the rail. */
    @Test
    void aChargeThatIsNotFoundCountsAsRemovedOnlyOnceItCannotArrive() {
        Instant since = begun.after().railCall(null).orElseThrow().since();
        Instant arrived = since.plus(LATE_ARRIVAL.multipliedBy(2));

        assertThat(answered(new RailOutcome.NotFound(), arrived.minusMillis(1)).status())
                .isEqualTo(Status.PENDING);
        assertThat(answered(new RailOutcome.NotFound(), arrived).status()).isEqualTo(Status.CANCELED);
    }

    @Test
    void aChargeThatTheRailNeverRemovesExpires() {
        Transaction expired = answered(new RailOutcome.Pending(), EXPIRY);

        assertThat(expired.status()).isEqualTo(Status.EXPIRED);
        assertThat(Situations.lastEntry(expired))
                .isEqualTo(new Entry.ChangeRefused(REQUEST.id(), "invalid_transition", EXPIRY));
    }

    /** The rail may know the charge, and another processor can ask it. */
    @Test
    void itWaitsForAProcessorThatHasTheRail() {
        Decision waiting = CommandRules.decideWithoutRail(pending, cancel(REQUEST), NOW);

        assertThat(waiting.railRequest()).isNull();
        assertThat(waiting.after().status()).isEqualTo(Status.PENDING);
        assertThat(decide(waiting.after(), Situations.dueCheck(waiting.after()), NOW.plusSeconds(60))
                        .railRequest())
                .isEqualTo(new RailRequest(RailCallKind.CANCEL, null, 1, 1));
    }

    @Test
    void theLastInquiryComesAGraceAfterTheExpiry() {
        Decision waits = Situations.decide(pending, Situations.dueCheck(pending), SHOWS_PAYMENTS_LATE, EXPIRY);
        assertThat(waits.railRequest()).isNull();
        assertThat(waits.after().dueAt()).isEqualTo(EXPIRY.plus(GRACE));

        Decision asks = Situations.decide(
                waits.after(), Situations.dueCheck(waits.after()), SHOWS_PAYMENTS_LATE, EXPIRY.plus(GRACE));
        assertThat(asks.railRequest()).isEqualTo(new RailRequest(RailCallKind.INQUIRE, null, 1, 1));
        assertThat(afterInquiry(waits.after(), EXPIRY.plus(GRACE).minusMillis(1)))
                .isEqualTo(Status.PENDING);
        assertThat(afterInquiry(waits.after(), EXPIRY.plus(GRACE))).isEqualTo(Status.EXPIRED);
    }

    private static Status afterInquiry(Transaction waiting, Instant askedAt) {
        return Situations.decide(
                        waiting,
                        Situations.answer(waiting, RailCallKind.INQUIRE, 1, askedAt, new RailOutcome.Pending()),
                        SHOWS_PAYMENTS_LATE,
                        askedAt)
                .after()
                .status();
    }

    private Transaction answered(RailOutcome outcome, Instant askedAt) {
        Transaction asked = begun.after();
        return decide(asked, Situations.answer(asked, RailCallKind.CANCEL, 1, askedAt, outcome), askedAt)
                .after();
    }

    private TransactionCommand cancel(ChangeRef request) {
        return new TransactionCommand.Change(pending.tenant(), pending.id(), request, new ChangeAction.Cancel());
    }

    private static Decision decide(Transaction transaction, TransactionCommand command, Instant now) {
        return Situations.decide(transaction, command, REMOTE, now);
    }
}
