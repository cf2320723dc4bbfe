package dev.ligeiro.view;

import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Writes the merchant's view of a transaction as JSON: amounts as strings, times in the configured zone, events newest first,
 * {@code ""} for missing values.
 */
public final class TransactionView {

    private final Timestamps timestamps;
    private final String checkoutUrl;

    /** @param publicUrl the gateway's public base URL, such as {@code https://pix.example.com} */
    public TransactionView(Timestamps timestamps, String publicUrl) {
        this.timestamps = timestamps;
        this.checkoutUrl = publicUrl + "/checkout/";
    }

    /**
     * Writes the transaction's fields into the current object of {@code json}.
     *
     * @param qrCodeImage converts a BR Code to the data URI of its image; null omits {@code qr_code_image}, as in webhooks
     */
    public void writeFields(
            JsonGenerator json, Transaction transaction, @Nullable Function<String, String> qrCodeImage) {
        json.writeStringProperty("id", transaction.id().toString());
        json.writeStringProperty("amount", transaction.amount().toString());
        json.writeStringProperty("commission", transaction.commission().toString());
        json.writeStringProperty("date_created", timestamps.format(transaction.createdAt()));
        json.writeStringProperty("description", transaction.description());
        json.writeStringProperty("document", transaction.payer().document());
        json.writeStringProperty("email", transaction.payer().email());
        json.writeStringProperty("name", transaction.payer().name());
        json.writeStringProperty("phone", transaction.payer().phone());
        json.writeStringProperty("platform", transaction.platform().toString());
        json.writeStringProperty("operation", transaction.operation().code());
        json.writeStringProperty("status", transaction.status().code());
        json.writeStringProperty("reference", orEmpty(transaction.reference()));
        json.writeStringProperty("extra", orEmpty(transaction.extra()));
        json.writeStringProperty("e2e_id", transaction.endToEndId());
        json.writeStringProperty("finished", time(transaction.finishedAt()));
        if (transaction.operation() == Operation.CASHIN) {
            writeCashin(json, transaction, qrCodeImage);
        } else if (transaction.pixKey() != null) {
            json.writeStringProperty("pix_key", transaction.pixKey().value());
        }
        writeEvents(json, transaction.events());
    }

    private void writeCashin(
            JsonGenerator json, Transaction transaction, @Nullable Function<String, String> qrCodeImage) {
        String brCode = orEmpty(transaction.brCode());
        json.writeStringProperty("payment_link", checkoutUrl + transaction.id());
        json.writeStringProperty("qr_code", brCode);
        if (qrCodeImage != null) {
            json.writeStringProperty("qr_code_image", qrCodeImage.apply(brCode));
        }
    }

    private void writeEvents(JsonGenerator json, List<StatusEvent> events) {
        json.writeArrayPropertyStart("events");
        for (int i = events.size() - 1; i >= 0; i--) {
            json.writeStartObject();
            json.writeStringProperty(
                    "date_created", timestamps.format(events.get(i).at()));
            json.writeStringProperty("status", events.get(i).status().code());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private String time(@Nullable Instant at) {
        return at == null ? "" : timestamps.format(at);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
