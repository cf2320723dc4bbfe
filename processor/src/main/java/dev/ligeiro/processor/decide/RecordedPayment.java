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
 * @param returned what the rail has moved back of it by itself, in the order in which this was found
 * @param resolved what operators have done with it; null while it is open
 * @param returnReportedAt when the rail last reported that more of it was moved back; null when it has been asked
 */
public record RecordedPayment(
        String id,
        UnmatchedPayment payment,
        List<Returned> returned,
        @Nullable Resolved resolved,
        @Nullable Instant returnReportedAt) {

    public RecordedPayment {
        returned = List.copyOf(returned);
    }

    /**
     * What the rail has moved back by itself.
     *
     * @param id the rail's id of the movement, unique within the payment
     * @param afterDecision whether operators had resolved the payment before
     */
    public record Returned(String id, Amount amount, boolean afterDecision, Instant at) {}

    /**
     * What operators have done with an unmatched payment.
     *
     * @param tenant in whose books the money is
     * @param transaction to which it is assigned or credited; the payment's own one if it is kept
     * @param amount what was left of it then; null if the rail has reported no amount
     */
    public record Resolved(
            UUID resolution,
            ResolutionDecision decision,
            Tenant tenant,
            TransactionId transaction,
            @Nullable Amount amount,
            Instant at) {}

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

    /** What the rail has not moved back by itself; null if it has reported no amount. */
    public @Nullable Amount left() {
        if (payment.amount() == null) {
            return null;
        }
        long back = returned.stream().mapToLong(one -> one.amount().cents()).sum();
        return new Amount(Math.max(0, payment.amount().cents() - back));
    }

    /** Whether {@code movement} is known: a return by the rail, or that of the operators' decision. */
    public boolean hasReturned(String movement) {
        return resolved != null && returnId(resolved.resolution()).equalsIgnoreCase(movement)
                || returned.stream().anyMatch(one -> one.id().equals(movement));
    }

    /**
     * What the books are told about it, the same each time: the payment, unless its tenant is not known, what of it was moved back, and where
     * the rest went. An assigned one goes to the merchant by the event of its cashin, and so does what is moved back of it.
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
        returned.forEach(back -> events.addAll(bookEvents(back, tenant, outgoing)));
        if (resolved != null && resolved.decision() != ResolutionDecision.ASSIGN) {
            Amount left = resolved.amount() == null ? amount : resolved.amount();
            if (!left.equals(Amount.ZERO)) {
                events.add(new BookEvent(
                        type(resolved.decision()),
                        tenant,
                        resolved.transaction(),
                        "resolution_" + id + "/" + returnId(resolved.resolution()),
                        payment.rail(),
                        left,
                        outgoing,
                        resolved.at()));
            }
        }
        return events;
    }

    private static BookEvent.Type type(ResolutionDecision decision) {
        return switch (decision) {
            case CREDIT -> BookEvent.Type.UNMATCHED_CREDITED;
            case RETURN -> BookEvent.Type.UNMATCHED_RETURNED;
            default -> BookEvent.Type.UNMATCHED_KEPT;
        };
    }

    /** It leaves {@code unmatched}. Was it booked to the merchant or kept before, then so much of that is taken back. */
    private List<BookEvent> bookEvents(Returned back, Tenant tenant, boolean outgoing) {
        ResolutionDecision before = back.afterDecision() && resolved != null ? resolved.decision() : null;
        if (before == ResolutionDecision.ASSIGN) {
            return List.of();
        }
        List<BookEvent> events = new ArrayList<>();
        events.add(new BookEvent(
                BookEvent.Type.UNMATCHED_RETURNED,
                tenant,
                payment.transactionId(),
                "returned_" + id + "/" + back.id(),
                payment.rail(),
                back.amount(),
                outgoing,
                back.at()));
        if (resolved != null && (before == ResolutionDecision.CREDIT || before == ResolutionDecision.KEEP)) {
            events.add(new BookEvent(
                    type(before),
                    tenant,
                    resolved.transaction(),
                    "taken_back_" + id + "/" + back.id(),
                    payment.rail(),
                    back.amount(),
                    !outgoing,
                    back.at()));
        }
        return events;
    }
}
