package dev.ligeiro.processor.books;

import static dev.ligeiro.processor.books.Account.BLOCKED;
import static dev.ligeiro.processor.books.Account.FEES;
import static dev.ligeiro.processor.books.Account.MERCHANT;
import static dev.ligeiro.processor.books.Account.OUT_IN_FLIGHT;
import static dev.ligeiro.processor.books.Account.RAIL;
import static dev.ligeiro.processor.books.Account.REFUND_IN_FLIGHT;
import static dev.ligeiro.processor.books.Account.UNMATCHED;

import dev.ligeiro.message.BookEvent;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.books.Posting.Legs;
import dev.ligeiro.processor.books.Posting.Type;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an event moves between the accounts: a function of the event alone. Most events move nothing. What a refund changes in the amount that
 * disputes block is a posting of its own beside that of the refund.
 */
final class PostingRules {

    private PostingRules() {}

    /** The postings of everything that has happened to {@code transaction}, in the order of its events; then those of its book events. */
    static List<Posting> ofAll(Transaction transaction) {
        Stream<Posting> announced = IntStream.rangeClosed(
                        1, transaction.history().sequence())
                .mapToObj(sequence -> of(TransactionEvent.of(transaction, sequence)))
                .flatMap(List::stream);
        Stream<Posting> requested = transaction.history().entries().stream()
                .filter(entry -> entry instanceof Entry.RefundRequested request && request.wasAskedFor())
                .flatMap(entry -> of(BookEvent.of(transaction, (Entry.RefundRequested) entry)).stream());
        return Stream.concat(announced, requested).toList();
    }

    static List<Posting> of(TransactionEvent event) {
        Posting moved = moved(event).orElse(null);
        if (event.blocked() == null) {
            return moved == null ? List.of() : List.of(moved);
        }
        Type type = blockedType(event.blocked());
        return moved == null
                ? List.of(posting(event, type, blockedLegs(event.blocked()), 0, null))
                : List.of(moved, beside(moved, event.blocked()));
    }

    private static Optional<Posting> moved(TransactionEvent event) {
        boolean isCashin = event.transaction().operation() == Operation.CASHIN;
        return switch (event.type()) {
            case PAID -> Optional.of(isCashin ? cashin(event) : cashoutPaid(event));
            case IN_PROCESS -> Optional.of(cashout(event));
            case DENIED ->
                event.previousStatus() == Status.IN_PROCESS ? Optional.of(cashoutDenied(event)) : Optional.empty();
            case REFUND, REFUNDED_PARTIALLY -> Optional.of(isCashin ? refunded(event) : cashoutSentBack(event));
            case REFUND_FAILED -> refund(event).wasAskedFor() ? Optional.of(refundFailed(event)) : Optional.empty();
            case CREATED,
                    CANCELED,
                    IN_ANALYSIS,
                    EXPIRED,
                    DISPUTE_OPENED,
                    DISPUTE_UPDATED,
                    DISPUTE_CLOSED,
                    PAYER_MISMATCH -> Optional.empty();
        };
    }

    static List<Posting> of(BookEvent event) {
        Posting moved = moved(event);
        return event.blocked() == null ? List.of(moved) : List.of(moved, beside(moved, event.blocked()));
    }

    private static Posting moved(BookEvent event) {
        long cents = event.amount().cents();
        long moved = event.outgoing() ? -cents : cents;
        return switch (event.type()) {
            case REFUND_REQUESTED ->
                posting(event, Type.REFUND, new Legs().add(MERCHANT, -cents).add(REFUND_IN_FLIGHT, cents), null);
            case UNMATCHED_PAYMENT ->
                posting(event, Type.UNMATCHED, new Legs().add(RAIL, moved).add(UNMATCHED, moved), nameOf(event));
            case UNMATCHED_CREDITED ->
                posting(
                        event,
                        Type.ADJUSTMENT,
                        new Legs().add(UNMATCHED, -moved).add(MERCHANT, moved),
                        null);
            case UNMATCHED_RETURNED ->
                posting(event, Type.UNMATCHED, new Legs().add(UNMATCHED, -moved).add(RAIL, -moved), nameOf(event));
            case UNMATCHED_KEPT ->
                posting(event, Type.UNMATCHED, new Legs().add(UNMATCHED, -moved).add(FEES, moved), null);
        };
    }

    private static Posting cashin(TransactionEvent event) {
        long amount = amount(event);
        long commission = commission(event);
        // the money of an assigned payment is at the rail already
        boolean isAssigned = Boolean.TRUE.equals(event.resolved());
        Legs legs = new Legs()
                .add(isAssigned ? UNMATCHED : RAIL, isAssigned ? -amount : amount)
                .add(MERCHANT, amount - commission)
                .add(FEES, commission);
        String railId = isAssigned || isTest(event) ? null : nameOfPayment(event);
        return posting(event, Type.CASHIN, legs, -commission, railId);
    }

    private static Posting cashout(TransactionEvent event) {
        long all = amount(event) + commission(event);
        Legs legs = new Legs().add(MERCHANT, -all).add(OUT_IN_FLIGHT, all);
        return posting(event, Type.CASHOUT, legs, -commission(event), null);
    }

    private static Posting cashoutPaid(TransactionEvent event) {
        long amount = amount(event);
        long commission = commission(event);
        Legs legs = new Legs()
                .add(OUT_IN_FLIGHT, -(amount + commission))
                .add(RAIL, -amount)
                .add(FEES, commission);
        String railId = isTest(event) ? event.transaction().id().toString() : nameOfPayment(event);
        return posting(event, Type.CASHOUT, legs, 0, railId);
    }

    private static Posting cashoutDenied(TransactionEvent event) {
        long all = amount(event) + commission(event);
        Legs legs = new Legs().add(OUT_IN_FLIGHT, -all).add(MERCHANT, all);
        return posting(event, Type.CASHOUT_RETURNED, legs, commission(event), null);
    }

    private static Posting cashoutSentBack(TransactionEvent event) {
        long cents = refund(event).amount().cents();
        long commission = returnedCommission(event);
        Legs legs =
                new Legs().add(RAIL, cents).add(MERCHANT, cents + commission).add(FEES, -commission);
        return posting(event, Type.CASHOUT_RETURNED, legs, commission, nameOfRefund(event));
    }

    private static Posting refunded(TransactionEvent event) {
        Refund refund = refund(event);
        long cents = refund.amount().cents();
        long commission = returnedCommission(event);
        Legs legs = new Legs()
                .add(refund.wasAskedFor() ? REFUND_IN_FLIGHT : MERCHANT, -cents)
                .add(RAIL, -cents)
                .add(MERCHANT, commission)
                .add(FEES, -commission);
        return posting(event, Type.REFUND, legs, commission, nameOfRefund(event));
    }

    private static Posting refundFailed(TransactionEvent event) {
        long cents = refund(event).amount().cents();
        return posting(
                event,
                Type.REFUND_FAILED,
                new Legs().add(REFUND_IN_FLIGHT, -cents).add(MERCHANT, cents),
                0,
                null);
    }

    /** What the event of {@code moved} changes in the blocked amount. */
    private static Posting beside(Posting moved, long blocked) {
        return new Posting(
                moved.id() + PostingFields.BLOCKED_SUFFIX,
                moved.tenant(),
                moved.transactionId(),
                moved.at(),
                blockedType(blocked),
                moved.rail(),
                null,
                blockedLegs(blocked).all(),
                0);
    }

    private static Type blockedType(long blocked) {
        return blocked > 0 ? Type.DISPUTE_BLOCKED : Type.DISPUTE_RELEASED;
    }

    private static Legs blockedLegs(long blocked) {
        return new Legs().add(MERCHANT, -blocked).add(BLOCKED, blocked);
    }

    /** The part of the commission that returns with the refund. The parts of all refunds of a transaction add up to its commission. */
    private static long returnedCommission(TransactionEvent event) {
        long after = event.transaction().refunds().refunded().cents();
        long before = after - refund(event).amount().cents();
        return shareOfCommission(event, after) - shareOfCommission(event, before);
    }

    private static long shareOfCommission(TransactionEvent event, long refunded) {
        if (!Boolean.TRUE.equals(event.transaction().terms().commissionReturns())) {
            return 0;
        }
        // two amounts of up to 10^12 cents each: their product does not fit a long
        return BigDecimal.valueOf(commission(event))
                .multiply(BigDecimal.valueOf(refunded))
                .divide(BigDecimal.valueOf(amount(event)), 0, RoundingMode.HALF_EVEN)
                .longValueExact();
    }

    /** The one refund that the event is about. */
    private static Refund refund(TransactionEvent event) {
        return event.transaction().refunds().shown().get(0);
    }

    /** The simulator moves no money for a cashin and knows cashouts by their own ids. */
    private static boolean isTest(TransactionEvent event) {
        return event.transaction().tenant().mode() == Mode.TEST;
    }

    /** A rail may settle a live transaction without naming the payment. */
    private static String nameOfPayment(TransactionEvent event) {
        String named = event.transaction().endToEndId();
        return named.isEmpty() ? event.transaction().id().toString() : named;
    }

    /** Null for a refund that the sandbox made in place of the rail. At a bank the id of a refund is unique within its payment only. */
    private static @Nullable String nameOfRefund(TransactionEvent event) {
        Refund refund = refund(event);
        if (refund.source() == Source.SANDBOX) {
            return null;
        }
        String id = refund.id().toString();
        return isTest(event) ? id : nameOfPayment(event) + "/" + id.replace("-", "");
    }

    /** Of an unmatched payment or its return: the id ends with the rail, a slash and the movement as the rail names it. */
    private static String nameOf(BookEvent event) {
        String named = event.id().substring(event.id().indexOf('/') + 1);
        boolean isPayment = named.startsWith("E") && named.indexOf('/') < 0;
        return isPayment && event.tenant().mode() == Mode.TEST
                ? event.transactionId().toString()
                : named;
    }

    private static long amount(TransactionEvent event) {
        return event.transaction().terms().amount().cents();
    }

    private static long commission(TransactionEvent event) {
        return event.transaction().terms().commission().cents();
    }

    private static Posting posting(
            TransactionEvent event, Type type, Legs legs, long commission, @Nullable String railId) {
        TransactionSnapshot transaction = event.transaction();
        return new Posting(
                event.id().toString(),
                transaction.tenant(),
                transaction.id(),
                event.at(),
                type,
                transaction.terms().rail(),
                railId,
                legs.all(),
                commission);
    }

    private static Posting posting(BookEvent event, Type type, Legs legs, @Nullable String railId) {
        return new Posting(
                event.id(),
                event.tenant(),
                event.transactionId(),
                event.at(),
                type,
                event.rail(),
                railId,
                legs.all(),
                0);
    }
}
