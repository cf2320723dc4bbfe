package dev.ligeiro.processor.reconcile;

import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankFields;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Reads the movements of a bank's lists: payments, and what was moved back of them. */
final class BankMovements {

    private static final Logger LOG = LoggerFactory.getLogger(BankMovements.class);

    private BankMovements() {}

    /** Of {@code GET /pix}, without those of another customer's key, and without those that were sent, which Efí may list too. */
    static List<Movement> received(String rail, String receiverKey, List<JsonNode> payments) {
        return payments.stream()
                .filter(pix -> pix.path("chave").asString(receiverKey).equalsIgnoreCase(receiverKey))
                .filter(pix -> !pix.path("gnExtras").has("idEnvio"))
                .flatMap(pix -> readable(rail, pix, BankMovements::received))
                .toList();
    }

    /** Of Efí's list of sent payments, those that were made. */
    static List<Movement> sent(String rail, List<JsonNode> payments) {
        return payments.stream()
                .flatMap(pix -> readable(rail, pix, BankMovements::sent))
                .toList();
    }

    /** What cannot be read is left out: repeating it would not help, and its posting becomes a break. */
    private static Stream<Movement> readable(String rail, JsonNode pix, Function<JsonNode, List<Movement>> read) {
        try {
            return read.apply(pix).stream();
        } catch (RailFault fault) {
            LOG.atWarn()
                    .addKeyValue("event.action", "movement_unreadable")
                    .addKeyValue("rail", rail)
                    .addKeyValue("cause", RailFault.describe(fault))
                    .log("A payment in a bank's list cannot be read; it is left out");
            return Stream.empty();
        }
    }

    private static List<Movement> received(JsonNode pix) {
        String payment = BankFields.id(pix, "endToEndId");
        long cents = BankFields.amount(pix, "valor").cents();
        return movements(pix, List.of(payment), cents, BankFields.time(pix, "horario"), pix.path("txid"));
    }

    private static List<Movement> sent(JsonNode pix) {
        if (!BankFields.text(pix, "status").equals("REALIZADO")) {
            return List.of();
        }
        List<String> ids = new ArrayList<>(List.of(BankFields.id(pix, "endToEndId")));
        // a cashout whose outcome the bank never told has no end-to-end id in the books
        transaction(pix.path("idEnvio")).ifPresent(id -> ids.add(id.toString()));
        long cents = BankFields.amount(pix, "valor").cents();
        // the list is in the order of the requests
        return movements(pix, ids, -cents, BankFields.time(pix.path("horario"), "solicitacao"), pix.path("idEnvio"));
    }

    /** The payment, and what was moved back of it, which the list has at the time of the payment. */
    private static List<Movement> movements(JsonNode pix, List<String> ids, long cents, Instant at, JsonNode ours) {
        TransactionId transaction = transaction(ours).orElse(null);
        List<Movement> found = new ArrayList<>();
        found.add(new Movement(ids, cents, at, transaction));
        BankFields.returned(pix).forEach(returned -> {
            long back = returned.amount().cents();
            found.add(new Movement(returnedIds(ids.get(0), returned.id()), cents > 0 ? -back : back, at, transaction));
        });
        return found;
    }

    /** As the bank says; as the books have a refund that the bank made by itself; as they have one that was made after it had failed. */
    private static List<String> returnedIds(String payment, String id) {
        List<String> ids = new ArrayList<>(List.of(
                payment + "/" + id,
                payment + "/" + BankFields.id(RefundId.ofRail(id).value())));
        BankFields.ours(id)
                .ifPresent(ours -> ids.addAll(List.of(payment + "/" + BankFields.id(ours), ours.toString())));
        return ids;
    }

    private static Optional<TransactionId> transaction(JsonNode ours) {
        return BankFields.ours(ours.asString("")).map(TransactionId::new);
    }
}
