package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Transaction;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A rail before another one, through which all of its calls go. */
public abstract class WrappedRail implements PaymentRail {

    private final PaymentRail rail;

    protected WrappedRail(PaymentRail rail) {
        this.rail = rail;
    }

    /** @param refund null for a call of the transaction itself */
    protected abstract CompletableFuture<RailOutcome> call(
            RailCallKind kind, Transaction transaction, @Nullable Refund refund);

    /** Makes the call. */
    protected CompletableFuture<RailOutcome> pass(RailCallKind kind, Transaction transaction, @Nullable Refund refund) {
        if (refund != null) {
            return kind == RailCallKind.SUBMIT
                    ? rail.refund(transaction, refund)
                    : rail.inquireRefund(transaction, refund);
        }
        return switch (kind) {
            case SUBMIT -> rail.submit(transaction);
            case INQUIRE -> rail.inquire(transaction);
            case CANCEL -> rail.cancel(transaction);
        };
    }

    @Override
    public RailFacts facts() {
        return rail.facts();
    }

    @Override
    public String account(Transaction transaction) {
        return rail.account(transaction);
    }

    @Override
    public CompletableFuture<RailOutcome> submit(Transaction transaction) {
        return call(RailCallKind.SUBMIT, transaction, null);
    }

    @Override
    public CompletableFuture<RailOutcome> inquire(Transaction transaction) {
        return call(RailCallKind.INQUIRE, transaction, null);
    }

    @Override
    public CompletableFuture<RailOutcome> cancel(Transaction transaction) {
        return call(RailCallKind.CANCEL, transaction, null);
    }

    @Override
    public CompletableFuture<RailOutcome> refund(Transaction transaction, Refund refund) {
        return call(RailCallKind.SUBMIT, transaction, refund);
    }

    @Override
    public CompletableFuture<RailOutcome> inquireRefund(Transaction transaction, Refund refund) {
        return call(RailCallKind.INQUIRE, transaction, refund);
    }
}
