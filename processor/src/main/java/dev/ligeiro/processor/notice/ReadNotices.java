package dev.ligeiro.processor.notice;

import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankPayment;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes reports of a bank's payments: received ones, and, at Efí, sent ones. A payment without an id of ours gets a transaction id of its own,
 * which no transaction has: it becomes an unmatched payment.
 */
final class ReadNotices {

    private static final Logger LOG = LoggerFactory.getLogger(ReadNotices.class);

    private ReadNotices() {}

    /**
     * The reports of payments in the bank's own list. One that cannot be read is logged and left out: repeating it would not help, and catch-up
     * reads the payment again.
     */
    static List<RailNotice> ofList(String rail, List<BankPayment> payments) {
        return payments.stream().flatMap(payment -> readable(rail, payment)).toList();
    }

    /**
     * The same of a notice that was sent to us, as mere hints: without amounts, and without the payments that have no id of ours, unless
     * something of them was moved back. Those are recorded when catch-up finds them in the bank's own list.
     */
    static List<RailNotice> ofNotice(String rail, List<BankPayment> payments) {
        return ofList(rail, payments).stream()
                .filter(notice -> hasOurId(notice) || !Amount.ZERO.equals(notice.returned()))
                .map(RailNotice::hint)
                .toList();
    }

    /** Whether the payment has an id of ours. */
    static boolean hasOurId(RailNotice notice) {
        return !notice.transactionId().equals(noTransaction(notice.rail(), notice.endToEndId()));
    }

    private static Stream<RailNotice> readable(String rail, BankPayment payment) {
        try {
            String endToEndId = payment.endToEndId();
            return Stream.of(new RailNotice(
                    payment.ours().map(TransactionId::new).orElseGet(() -> noTransaction(rail, endToEndId)),
                    rail,
                    endToEndId,
                    payment.amount(),
                    returned(payment),
                    payment.payer(),
                    null));
        } catch (RailFault fault) {
            LOG.atWarn()
                    .addKeyValue("event.action", "notice_unreadable")
                    .addKeyValue("rail", rail)
                    .addKeyValue("cause", RailFault.describe(fault))
                    .log("A bank's notice of a payment cannot be read; it is left out");
            return Stream.empty();
        }
    }

    private static TransactionId noTransaction(String rail, String endToEndId) {
        return new TransactionId(UUID.nameUUIDFromBytes((rail + "/" + endToEndId).getBytes(StandardCharsets.UTF_8)));
    }

    private static Amount returned(BankPayment payment) {
        long cents = payment.returned().stream()
                .mapToLong(refund -> refund.amount().cents())
                .sum();
        if (cents > Amount.MAX.cents()) {
            throw new RailFault("devolucoes: more than any amount (expected: <= " + Amount.MAX + ")");
        }
        return new Amount(cents);
    }
}
