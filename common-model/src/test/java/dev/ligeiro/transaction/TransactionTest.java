package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionTest {

    private static final Instant AT = Transactions.CREATED_AT.plusSeconds(60);

    @Provide
    Arbitrary<List<Transaction>> lives() {
        return TransactionArbitraries.lives();
    }

    @Property
    void asOfASequenceIsTheTransactionRightAfterThatChange(@ForAll("lives") List<Transaction> life) {
        Transaction latest = life.get(life.size() - 1);
        for (int sequence = 1; sequence <= life.size(); sequence++) {
            assertThat(latest.asOf(sequence)).isEqualTo(life.get(sequence - 1));
        }
    }

    @Property
    void sequencesStartAtOneWithoutGapsAndTheLatestIsTheVersion(@ForAll("lives") List<Transaction> life) {
        Transaction latest = life.get(life.size() - 1);
        assertThat(latest.events())
                .extracting(StatusEvent::sequence)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, latest.version()).boxed().toList());
        assertThat(latest.lastEvent().status()).isEqualTo(latest.status());
    }

    @Property
    void aMoveChangesNothingButStatusVersionAndHistory(@ForAll("lives") List<Transaction> life) {
        Transaction first = life.get(0);
        assertThat(life)
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("status", "version", "events")
                .containsOnly(first);
    }

    @Property
    void finishedIsTheTimeOfTheLastEventOfAFinishedStatus(@ForAll("lives") List<Transaction> life) {
        for (Transaction transaction : life) {
            assertThat(transaction.finishedAt())
                    .isEqualTo(
                            transaction.status().isFinished()
                                    ? transaction.lastEvent().at()
                                    : null);
        }
    }

    @ParameterizedTest(name = "{0} through {1}: finished {2} s after its creation")
    @CsvSource({
        // operation, moves (one a minute), expected
        "CASHIN,  '',                    ",
        "CASHIN,  in_analysis,           ",
        "CASHIN,  paid,                  ",
        "CASHIN,  denied,                60",
        "CASHIN,  canceled,              60",
        "CASHIN,  expired,               60",
        "CASHIN,  expired paid,          ", // paid late: it can be refunded again
        "CASHIN,  expired paid refund,   180",
        "CASHOUT, in_process,            ",
        "CASHOUT, in_process paid,       ",
        "CASHOUT, in_process denied,     120",
        "CASHOUT, in_process paid refund, 180",
    })
    void onlyAFinishedStatusHasATimeInFinished(Operation operation, String moves, Long seconds) {
        Transaction transaction =
                operation == Operation.CASHIN ? Transactions.goldenCashin() : Transactions.goldenCashout();
        Instant at = transaction.createdAt();
        for (String move : moves.isEmpty() ? new String[0] : moves.split(" ")) {
            at = at.plusSeconds(60);
            transaction = transaction.moveTo(Status.fromCode(move), at, StatusEvent.Source.RAIL, null);
        }
        assertThat(transaction.finishedAt())
                .isEqualTo(seconds == null ? null : transaction.createdAt().plusSeconds(seconds));
    }

    @Test
    void aMoveAcceptsANewTransaction() {
        Transaction pending = Transactions.goldenCashin();

        Transaction paid = pending.moveTo(Status.PAID, AT, StatusEvent.Source.RAIL, "late");

        assertThat(pending.accepted()).isFalse();
        assertThat(paid.accepted()).isTrue();
        assertThat(paid.version()).isEqualTo(2);
        assertThat(paid.events())
                .containsExactly(
                        pending.lastEvent(), new StatusEvent(2, Status.PAID, AT, StatusEvent.Source.RAIL, "late"));
    }

    @Test
    void acceptingIsIdempotentAndAddsNoEvent() {
        Transaction pending = Transactions.goldenCashin();

        Transaction accepted = pending.accept();

        assertThat(accepted)
                .usingRecursiveComparison()
                .ignoringFields("accepted")
                .isEqualTo(pending);
        assertThat(accepted.accepted()).isTrue();
        assertThat(accepted.accept()).isSameAs(accepted);
    }

    @Test
    void aForbiddenMoveNamesTheAllowedOnes() {
        assertThatThrownBy(
                        () -> Transactions.goldenCashin().moveTo(Status.REFUND, AT, StatusEvent.Source.MERCHANT, null))
                .hasMessage("status: pending to refund"
                        + " (expected one of: [paid, denied, canceled, in_analysis, expired])")
                .asInstanceOf(type(InvalidTransition.class))
                .satisfies(invalid -> {
                    assertThat(invalid.from()).isEqualTo(Status.PENDING);
                    assertThat(invalid.to()).isEqualTo(Status.REFUND);
                    assertThat(invalid.allowed())
                            .containsExactly(
                                    Status.PAID, Status.DENIED, Status.CANCELED, Status.IN_ANALYSIS, Status.EXPIRED);
                });
    }

    @Test
    void aFinalStatusAllowsNoMove() {
        Transaction denied = Transactions.goldenCashout().moveTo(Status.DENIED, AT, StatusEvent.Source.RAIL, null);

        assertThatThrownBy(() -> denied.moveTo(Status.PAID, AT, StatusEvent.Source.RAIL, null))
                .isInstanceOf(InvalidTransition.class)
                .hasMessage("status: denied to paid (expected one of: [])");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 2, Integer.MAX_VALUE})
    void asOfRefusesASequenceOutsideTheHistory(int sequence) {
        assertThatThrownBy(() -> Transactions.goldenCashin().asOf(sequence))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sequence: " + sequence + " (expected: 1 to 1)");
    }

    @Test
    void timesAreTruncatedToTheMillisecond() {
        Transaction paid =
                Transactions.goldenCashin().moveTo(Status.PAID, AT.plusNanos(1_999_999), StatusEvent.Source.RAIL, null);

        assertThat(paid.lastEvent().at()).isEqualTo(AT.plusMillis(1));
    }

    @Test
    void theHistoryIsCopied() {
        Transaction pending = Transactions.goldenCashin();
        List<StatusEvent> events = new ArrayList<>(pending.events());
        Transaction copy = Transactions.like(pending).events(events).build();

        events.clear();

        assertThat(copy).isEqualTo(pending);
    }

    @Test
    void aTransactionWithoutItsCreationIsRefused() {
        assertThatThrownBy(() -> Transactions.like(Transactions.goldenCashin())
                        .events(List.of())
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("events: empty (expected: at least the creation)");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void sequencesStartAtOne(int sequence) {
        assertThatThrownBy(() -> new StatusEvent(sequence, Status.PENDING, AT, StatusEvent.Source.SYSTEM, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sequence: " + sequence + " (expected: >= 1)");
    }

    @Test
    void itsTextContainsNoPersonalData() {
        Transaction cashout = Transactions.goldenCashout();

        assertThat(cashout).hasToString("Transaction[id=" + Transactions.ID + ", status=pending, version=1]");
        assertThat(cashout.payer()).hasToString("Party[…]");
    }
}
