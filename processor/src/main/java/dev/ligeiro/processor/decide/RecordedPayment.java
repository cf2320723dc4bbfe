package dev.ligeiro.processor.decide;

import dev.ligeiro.message.BookEvent;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A recorded unmatched payment.
 *
 * @param resolved what operators have done with it; null while it is open
 */
public record RecordedPayment(String id, UnmatchedPayment payment, @Nullable Resolved resolved) {

    /**
     * What operators have done with an unmatched payment.
     *
     * @param tenant in whose books the money is
     * @param transaction to which it is assigned or credited; the payment's own one if it is kept
     */
    public record Resolved(
            UUID resolution, ResolutionDecision decision, Tenant tenant, TransactionId transaction, Instant at) {}

    /** The report of the rail that it was made of, by which its transaction is found. */
    public TransactionCommand report() {
        return new TransactionCommand.RailNotice(
                payment.transactionId(), payment.rail(), payment.endToEndId(), payment.amount());
    }

    /** The id under which the rail sends it back. Refunds of a payment have UUIDs without hyphens. */
    public static String returnId(UUID resolution) {
        return resolution.toString().replace("-", "");
    }

    /** Whether the money has left; that of an unknown transaction has come in. */
    public boolean isOutgoing(@Nullable Transaction own) {
        return own != null && payment.isOutgoing(own.operation());
    }

    /**
     * What the books are told about it, the same each time: the payment, unless its tenant is not known, and where it went. An assigned one
     * goes to the merchant by the event of its cashin.
     *
     * @param own the transaction that the rail has named; null if it is not stored
     */
    public List<BookEvent> bookEvents(@Nullable Transaction own) {
        Amount amount = payment.amount();
        Tenant tenant = own != null ? own.tenant() : resolved != null ? resolved.tenant() : null;
        if (tenant == null || amount == null || amount.equals(Amount.ZERO)) {
            return List.of();
        }
        boolean outgoing = isOutgoing(own);
        List<BookEvent> events = new ArrayList<>();
        events.add(BookEvent.ofUnmatched(
                tenant, payment.transactionId(), payment.rail(), payment.endToEndId(), amount, outgoing, payment.at()));
        if (resolved != null && resolved.decision() != ResolutionDecision.ASSIGN) {
            BookEvent.Type type =
                    switch (resolved.decision()) {
                        case CREDIT -> BookEvent.Type.UNMATCHED_CREDITED;
                        case RETURN -> BookEvent.Type.UNMATCHED_RETURNED;
                        default -> BookEvent.Type.UNMATCHED_KEPT;
                    };
            events.add(new BookEvent(
                    type,
                    tenant,
                    resolved.transaction(),
                    "resolution_" + id + "/" + returnId(resolved.resolution()),
                    payment.rail(),
                    amount,
                    outgoing,
                    resolved.at()));
        }
        return events;
    }
}
