package dev.ligeiro.processor.resolve;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An operators' decision that is to be carried out.
 *
 * @param tenant that of {@code transactionId}; of a payment that is kept, the one in whose books it is
 * @param transactionId the one with the unknown outcome, or to which an unmatched payment is assigned or credited; null if one is kept
 * @param unmatchedPayment the id of its record; null for an unknown outcome
 * @param settlement the payment as the bank names it, of a cashout that was paid; else null
 */
record ConfirmedResolution(
        UUID id,
        ResolutionDecision decision,
        Tenant tenant,
        @Nullable TransactionId transactionId,
        @Nullable RefundId refund,
        @Nullable String unmatchedPayment,
        @Nullable Settlement settlement) {

    /** The command that changes the transaction. */
    TransactionCommand.Change command(@Nullable Settlement paidBy) {
        boolean moved = decision != ResolutionDecision.DENIED && decision != ResolutionDecision.FAILED;
        return new TransactionCommand.Change(
                tenant,
                Optional.ofNullable(transactionId).orElseThrow(),
                new ChangeRef(id, null),
                new ChangeAction.Resolve(refund, moved, paidBy));
    }

    /** Whether {@code command} does what was decided. An assigned payment is named by the end of the id of its record. */
    boolean isCarriedOutBy(TransactionCommand.Change command) {
        if (transactionId == null) {
            return false;
        }
        Settlement given = command.action() instanceof ChangeAction.Resolve resolve ? resolve.settlement() : null;
        boolean isItsPayment =
                unmatchedPayment == null || given != null && unmatchedPayment.endsWith("/" + given.endToEndId());
        return isItsPayment && command.equals(command(unmatchedPayment == null ? settlement : given));
    }

    /** How the command has ended, as the history tells; empty while it is under way. */
    Optional<ResolutionState> outcome(Transaction transaction) {
        return transaction.history().entries().stream()
                .filter(entry -> id.equals(entry.changeId()))
                .findFirst()
                .map(entry -> entry instanceof Entry.ChangeRefused
                        ? ResolutionState.ANSWERED_BY_RAIL
                        : ResolutionState.APPLIED);
    }
}
