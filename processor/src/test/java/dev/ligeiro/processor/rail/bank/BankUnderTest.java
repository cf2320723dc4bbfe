package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailUnderTest;
import dev.ligeiro.processor.rail.WrappedRail;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A rail of the running bank for one run of the contract. The bank remembers the earlier runs, so each run has its own ids there. Answers
 * come before a call returns: the contract's processors have one thread.
 */
final class BankUnderTest extends WrappedRail implements RailUnderTest {

    /** The payer pays a cashin with these cents as soon as time passes. */
    static final int CENTS_PAID = 11;

    private static final int CENTS = 100;

    private final RunningBank bank;
    /** It leaves the bits of a UUID's version and variant. */
    private final long salt = ThreadLocalRandom.current().nextLong() >>> 2;

    private final Set<UUID> known = new HashSet<>();
    private final Set<UUID> unpaid = new HashSet<>();

    BankUnderTest(RunningBank bank, BankAccount account, Clock clock) {
        super(new EfiRail(account, clock));
        this.bank = bank;
    }

    @Override
    public PaymentRail rail() {
        return this;
    }

    @Override
    public int moved(UUID id) {
        return bank.moved(salted(id));
    }

    /** The payers pay. */
    @Override
    public void release() {
        unpaid.removeIf(id -> bank.pay(RunningBank.hex(id)));
    }

    @Override
    protected CompletableFuture<RailOutcome> call(RailCallKind kind, Transaction transaction, @Nullable Refund refund) {
        UUID id = salted(transaction.id().value());
        if (kind == RailCallKind.SUBMIT
                && refund == null
                && transaction.operation() == Operation.CASHIN
                && transaction.terms().amount().cents() % CENTS == CENTS_PAID
                && known.add(id)) {
            unpaid.add(id);
        }
        RailOutcome answer = pass(kind, salted(transaction), refund == null ? null : salted(refund))
                .join();
        return CompletableFuture.completedFuture(answer);
    }

    private Transaction salted(Transaction transaction) {
        return new Transaction(
                new TransactionId(salted(transaction.id().value())),
                transaction.tenant(),
                transaction.operation(),
                transaction.terms(),
                transaction.history(),
                transaction.railCalls(),
                transaction.version(),
                transaction.accepted(),
                transaction.unsentFrom());
    }

    private Refund salted(Refund refund) {
        return new Refund(
                new RefundId(salted(refund.id().value())),
                refund.amount(),
                refund.state(),
                refund.source(),
                refund.reference(),
                refund.description(),
                refund.requestedAt());
    }

    private UUID salted(UUID id) {
        return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits() ^ salt);
    }
}
