package dev.ligeiro.processor.notice;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankFields;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Reads the {@code pix} list of a notice or of {@code GET /pix}: payments that were received, and, at Efí, payments that were sent. A payment
 * without an id of ours gets a transaction id of its own, which no transaction has: it becomes an unmatched payment.
 */
final class ReadNotices {

    private static final Logger LOG = LoggerFactory.getLogger(ReadNotices.class);

    private ReadNotices() {}

    /**
     * The commands of the list. Those of another customer's key are left out: anyone may have the bank send us notices. One that cannot be read
     * is logged and left out: repeating it would not help, and catch-up reads the payment again.
     *
     * @param receiverKey the key of the rail's account
     */
    static List<TransactionCommand.RailNotice> ofList(String rail, String receiverKey, JsonNode body) {
        return BankFields.list(body, "pix").stream()
                .filter(pix -> pix.path("chave").asString(receiverKey).equalsIgnoreCase(receiverKey))
                .flatMap(pix -> readable(rail, pix))
                .toList();
    }

    /**
     * The same of a notice that was sent to us, as mere hints: without amounts, and without the payments that have no id of ours, unless
     * something of them was moved back. Those are recorded when catch-up finds them in the bank's own list.
     */
    static List<TransactionCommand.RailNotice> ofNotice(String rail, String receiverKey, JsonNode body) {
        return ofList(rail, receiverKey, body).stream()
                .filter(notice -> hasOurId(notice) || !Amount.ZERO.equals(notice.returned()))
                .map(notice -> new TransactionCommand.RailNotice(
                        notice.transactionId(), rail, notice.endToEndId(), null, notice.returned()))
                .toList();
    }

    /** Whether the payment has an id of ours. */
    static boolean hasOurId(TransactionCommand.RailNotice notice) {
        return !notice.transactionId().equals(noTransaction(notice.rail(), notice.endToEndId()));
    }

    private static Stream<TransactionCommand.RailNotice> readable(String rail, JsonNode pix) {
        try {
            return Stream.of(notice(rail, pix));
        } catch (RailFault fault) {
            LOG.atWarn()
                    .addKeyValue("event.action", "notice_unreadable")
                    .addKeyValue("rail", rail)
                    .addKeyValue("cause", RailFault.describe(fault))
                    .log("A bank's notice of a payment cannot be read; it is left out");
            return Stream.empty();
        }
    }

    private static TransactionCommand.RailNotice notice(String rail, JsonNode pix) {
        String endToEndId = BankFields.id(pix, "endToEndId");
        // Efí's list of sent payments has the id on top, its notices among the extras
        String sent = pix.path("idEnvio")
                .asString(pix.path("gnExtras").path("idEnvio").asString(""));
        String id = pix.path("txid").asString(sent);
        return new TransactionCommand.RailNotice(
                BankFields.ours(id).map(TransactionId::new).orElseGet(() -> noTransaction(rail, endToEndId)),
                rail,
                endToEndId,
                BankFields.amount(pix, "valor"),
                returned(pix));
    }

    private static TransactionId noTransaction(String rail, String endToEndId) {
        return new TransactionId(UUID.nameUUIDFromBytes((rail + "/" + endToEndId).getBytes(StandardCharsets.UTF_8)));
    }

    private static Amount returned(JsonNode pix) {
        long cents = BankFields.returned(pix).stream()
                .mapToLong(refund -> refund.amount().cents())
                .sum();
        if (cents > Amount.MAX.cents()) {
            throw new RailFault("devolucoes: more than any amount (expected: <= " + Amount.MAX + ")");
        }
        return new Amount(cents);
    }
}
