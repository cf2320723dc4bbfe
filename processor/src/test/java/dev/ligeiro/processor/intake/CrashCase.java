package dev.ligeiro.processor.intake;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/**
 * A processor that has a cashout to pay and a cashin to refund, and is killed at a crash point.
 *
 * @param group its consumer group
 * @param cashout as the gateway created it
 * @param cashin as it was paid; {@code refund} moves a part of it back
 */
record CrashCase(Work work, CrashPoint point, String group, Transaction cashout, Transaction cashin, RefundId refund) {

    private static final Amount AMOUNT = new Amount(150_75);
    private static final Amount REFUNDED = new Amount(50_00);
    private static final Instant BEGAN = Instant.now().minus(Duration.ofMinutes(10));

    /** What the processor has to do with both transactions. */
    enum Work {
        /** Both are new to it. */
        BEGIN,
        /** As {@link #BEGIN}, but another processor has crashed in the rail calls, so the commands are redelivered. */
        BEGIN_AGAIN,
        /** To look at the calls of another processor. The rail has moved the money and did not answer. */
        LOOK_MOVED,
        /** To look at the calls of another processor, which never arrived at the rail. */
        LOOK_NOT_MOVED;

        boolean isBegun() {
            return this != BEGIN;
        }

        boolean isMoved() {
            return this == BEGIN_AGAIN || this == LOOK_MOVED;
        }

        boolean isLook() {
            return this == LOOK_MOVED || this == LOOK_NOT_MOVED;
        }
    }

    /**
     * Both transactions are in one partition, so their commands are in one batch. No other transaction is created in the cashout's minute.
     *
     * @param partitions of the topic of commands
     */
    static CrashCase of(Work work, CrashPoint point, int partitions) {
        Transaction cashout =
                LiveTransactions.of(Transactions.cashout(TransactionId.at(ownMinute(work, point)), AMOUNT));
        Transaction cashin = Stream.generate(() -> LiveTransactions.of(Transactions.cashin(AMOUNT)))
                .filter(candidate -> partition(candidate, partitions) == partition(cashout, partitions))
                .findFirst()
                .orElseThrow();
        return new CrashCase(
                work,
                point,
                "crash-" + UUID.randomUUID(),
                cashout,
                cashin.moveTo(Status.PAID, BEGAN, Source.RAIL),
                new RefundId(UUID.randomUUID()));
    }

    private static Instant ownMinute(Work work, CrashPoint point) {
        return BEGAN.minus(Duration.ofMinutes(1 + work.ordinal() + (long) Work.values().length * point.ordinal()));
    }

    private static int partition(Transaction transaction, int partitions) {
        byte[] key = transaction.id().toString().getBytes(StandardCharsets.US_ASCII);
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }

    Transaction storedCashout() {
        return work.isBegun()
                ? cashout.moveTo(Status.IN_PROCESS, BEGAN, Source.SYSTEM).with(RailCall.first(null, BEGAN, BEGAN))
                : cashout;
    }

    Transaction storedCashin() {
        return work.isBegun()
                ? cashin.with(new Entry.RefundRequested(refund, REFUNDED, Source.MERCHANT, null, null, BEGAN, null))
                        .with(RailCall.first(refund, BEGAN, BEGAN))
                : cashin;
    }

    /** The sequence of the last event of the cashout that another processor has sent. */
    int announcedOfCashout() {
        return work.isLook() ? storedCashout().history().sequence() : 0;
    }

    int announcedOfCashin() {
        return cashin.history().sequence();
    }

    List<TransactionCommand> commands() {
        return work.isLook()
                ? List.of(TestEnvironment.dueCheck(storedCashout()), TestEnvironment.dueCheck(storedCashin()))
                : List.of(
                        TestEnvironment.process(cashout),
                        new TransactionCommand.Change(
                                cashin.tenant(),
                                cashin.id(),
                                new ChangeRef(refund.value(), null),
                                new ChangeAction.Refund(REFUNDED, null, null)));
    }

    /** Whether the rail has moved the money when the processor is killed. */
    boolean isMovedAtTheCrash() {
        return work.isMoved() || point != CrashPoint.BEFORE_CALL && point != CrashPoint.IN_INQUIRY;
    }

    /** The possible numbers of stored calls without an outcome when the processor is killed. */
    List<Integer> railCallsAtTheCrash() {
        return switch (point) {
            case BEFORE_CALL, IN_CALL, IN_INQUIRY, BEFORE_ANSWER -> List.of(2);
            case BEFORE_VERSIONS, BEFORE_EVENTS, BEFORE_COMMIT -> List.of(work == Work.BEGIN_AGAIN ? 2 : 0);
            // both answers in one batch, or one of them
            case BEFORE_OUTCOME_EVENT -> List.of(0, 1);
        };
    }

    /** The keys of its commands. */
    Set<String> keys() {
        return Set.of(cashout.id().toString(), cashin.id().toString());
    }

    @Override
    public String toString() {
        return work + " " + point;
    }
}
