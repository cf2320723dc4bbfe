package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Payer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A payment as a bank's list or notice has it. Reading a field that is not as the Pix API says throws a {@link RailFault}.
 *
 * @param isSent whether the account has sent it
 */
public record BankPayment(JsonNode json, boolean isSent) {

    /** The {@code pix} list of a notice or an answer, without the payments of another customer's key: anyone may have the bank notify us. */
    public static List<BankPayment> of(JsonNode body, String receiverKey) {
        return BankFields.list(body, "pix").stream()
                .map(BankPayment::ofReceivedList)
                .filter(payment -> payment.isOf(receiverKey))
                .toList();
    }

    /** Efí may list sent payments too. */
    private static BankPayment ofReceivedList(JsonNode json) {
        return new BankPayment(json, json.path("gnExtras").has("idEnvio"));
    }

    /** Whether it is a payment of the account with this key. */
    boolean isOf(String receiverKey) {
        return json.path("chave").asString(receiverKey).equalsIgnoreCase(receiverKey);
    }

    public String endToEndId() {
        return BankFields.id(json, "endToEndId");
    }

    public Amount amount() {
        return BankFields.amount(json, "valor");
    }

    /** The id of its charge or cashout, if it is one of ours. Efí's list of sent payments has the id on top, its notices among the extras. */
    public Optional<UUID> ours() {
        String sent = json.path("idEnvio")
                .asString(json.path("gnExtras").path("idEnvio").asString(""));
        return BankFields.ours(json.path("txid").asString(sent));
    }

    /** Whether a sent payment was made. */
    public boolean isMade() {
        return BankFields.text(json, "status").equals("REALIZADO");
    }

    /** The time by which the bank's list has it: that of a sent one's request. */
    public Instant at() {
        JsonNode times = json.path("horario");
        return times.isObject() ? BankFields.time(times, "solicitacao") : BankFields.time(json, "horario");
    }

    /** Who has paid it; null of a sent one, and when the bank does not tell. */
    public @Nullable Payer payer() {
        return isSent ? null : BankFields.payer(json);
    }

    /** What was moved back of it. */
    public List<RailOutcome.Returned> returned() {
        return BankFields.returned(json);
    }
}
