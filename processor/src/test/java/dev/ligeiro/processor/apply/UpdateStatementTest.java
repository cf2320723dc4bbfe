package dev.ligeiro.processor.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.processor.decide.Update;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UpdateStatementTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:31:00Z");

    static Stream<Named<UnaryOperator<Transaction>>> changesOfOneBatch() {
        return Stream.of(
                Named.of("accepted", Transaction::accept),
                Named.of("paid", pending -> pending.moveTo(Status.PAID, NOW, Source.RAIL)),
                Named.of("expired", pending -> pending.moveTo(Status.EXPIRED, NOW, Source.SYSTEM)));
    }

    /** Each transaction of the batch has its own creation and expiry: times of one transaction must not separate the statements. */
    @ParameterizedTest
    @MethodSource("changesOfOneBatch")
    void equalChangesShareOneStatement(UnaryOperator<Transaction> change) {
        assertThat(UpdateStatement.group(IntStream.range(0, 3)
                        .mapToObj(UpdateStatementTest::pending)
                        .map(pending -> new Update(pending, change.apply(pending), true))
                        .toList()))
                .hasSize(1);
    }

    @Test
    void submissionsOfCashoutsShareOneStatement() {
        assertThat(UpdateStatement.group(IntStream.range(0, 3)
                        .mapToObj(i -> Transactions.cashout(id(i), new Amount(15_011)))
                        .map(pending -> new Update(
                                pending,
                                pending.moveTo(Status.IN_PROCESS, NOW, Source.SYSTEM)
                                        .with(RailCall.first(null, NOW, NOW.plusSeconds(10))),
                                true))
                        .toList()))
                .hasSize(1);
    }

    /** It stores since when the outcome is unknown: since the cashin's creation. */
    @Test
    void aRegistrationOfAChargeHasAStatementOfItsOwn() {
        assertThat(UpdateStatement.group(IntStream.range(0, 3)
                        .mapToObj(UpdateStatementTest::pending)
                        .map(pending ->
                                new Update(pending, pending.with(RailCall.first(null, NOW, NOW.plusSeconds(10))), true))
                        .toList()))
                .hasSize(3);
    }

    @Test
    void aRequestWithAnIdempotencyKeyHasAStatementOfItsOwn() {
        assertThat(UpdateStatement.group(IntStream.range(0, 3)
                        .mapToObj(i -> {
                            Transaction pending = pending(i);
                            ChangeRef request = new ChangeRef(new UUID(0, i), "key-" + i);
                            return new Update(
                                    pending,
                                    pending.with(new Entry.StatusChanged(
                                            Status.CANCELED, NOW, Source.MERCHANT, null, null, request)),
                                    false);
                        })
                        .toList()))
                .hasSize(3);
    }

    /** It has no entry yet. Otherwise another request could take the key, and the cancel's own entry could never be stored. */
    @Test
    void anOpenCancelTakesItsIdempotencyKey() {
        Transaction pending = pending(0);
        RailCall cancel = RailCall.first(null, NOW, NOW.plusSeconds(10))
                .canceling(new ChangeRef(new UUID(0, 1), "key-1"), NOW.plusSeconds(10));

        assertThat(UpdateStatement.of(new Update(pending, pending.with(cancel), false))
                        .newKeys())
                .containsExactly(new BsonString("key-1"));
    }

    /** Other updates leave its field and index alone. */
    @Test
    void onlyTheWaitForAnApprovalHasAFieldWhileItLasts() {
        BsonBinary submitter = new BsonBinary(new byte[] {1});
        Transaction pending = Transactions.cashout(id(0), new Amount(15_011));
        Transaction waiting = pending.with(
                new Entry.StatusChanged(
                        Status.IN_ANALYSIS, NOW, Source.SYSTEM, Transaction.APPROVAL_REQUIRED, null, null),
                new Entry.ChangeRefused(new UUID(0, 1), "invalid_transition", NOW.plusSeconds(1)));
        Transaction approved = waiting.moveTo(Status.IN_PROCESS, NOW, Source.OPERATOR);
        Transaction paid = approved.moveTo(Status.PAID, NOW, Source.RAIL);

        BsonDocument begun =
                UpdateStatement.of(new Update(pending, waiting, true)).modification(submitter);
        BsonDocument ended =
                UpdateStatement.of(new Update(waiting, approved, false)).modification(submitter);
        BsonDocument later =
                UpdateStatement.of(new Update(approved, paid, false)).modification(submitter);

        assertThat(begun.getDocument("$set")).containsEntry("approvalSince", new BsonDateTime(NOW.toEpochMilli()));
        assertThat(ended.getDocument("$unset")).containsKey("approvalSince");
        assertThat(later.toJson()).doesNotContain("approvalSince");
    }

    private static Transaction pending(int number) {
        return Transactions.like(Transactions.cashin(id(number), new Amount(15_011)))
                .expiresAt(NOW.plusSeconds(1_000 + number))
                .build();
    }

    private static TransactionId id(int number) {
        return TransactionId.at(NOW.minusSeconds(1 + number));
    }
}
