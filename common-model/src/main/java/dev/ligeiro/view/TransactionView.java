package dev.ligeiro.view;

import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.TransactionSnapshot;
import dev.ligeiro.transaction.TransactionSnapshot.RefundSummary;
import dev.ligeiro.transaction.TransactionSnapshot.StatusAt;
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
     * @param json writes UTF-8, not characters
     * @param qrCodeImage converts a BR Code to the data URI of its image, in ASCII; null omits {@code qr_code_image}, as in webhooks
     */
    public void writeFields(
            JsonGenerator json, TransactionSnapshot transaction, @Nullable Function<String, byte[]> qrCodeImage) {
        json.writeStringProperty("id", transaction.id().toString());
        Terms terms = transaction.terms();
        json.writeStringProperty("amount", terms.amount().toString());
        json.writeStringProperty("commission", terms.commission().toString());
        json.writeStringProperty(
                "date_created", timestamps.format(transaction.id().createdAt()));
        json.writeStringProperty("description", terms.description());
        json.writeStringProperty("document", terms.payer().document());
        json.writeStringProperty("email", terms.payer().email());
        json.writeStringProperty("name", terms.payer().name());
        json.writeStringProperty("phone", terms.payer().phone());
        json.writeStringProperty("platform", terms.platform().toString());
        json.writeStringProperty("operation", transaction.operation().code());
        json.writeStringProperty("status", transaction.status().code());
        if (transaction.status() == Status.DENIED) {
            json.writeStringProperty("denial_reason", orEmpty(transaction.denialReason()));
        }
        json.writeStringProperty("reference", orEmpty(terms.reference()));
        json.writeStringProperty("extra", orEmpty(terms.extra()));
        if (terms.fiscal() != null) {
            json.writeObjectPropertyStart("fiscal");
            terms.fiscal().forEach(json::writeStringProperty);
            json.writeEndObject();
        }
        json.writeStringProperty("e2e_id", transaction.endToEndId());
        json.writeStringProperty("finished", timestamps.orEmpty(transaction.finishedAt()));
        json.writeStringProperty("expires_at", timestamps.format(terms.expiresAt()));
        if (transaction.operation() == Operation.CASHIN) {
            writeCashin(json, transaction, qrCodeImage);
        } else {
            json.writeStringProperty(
                    "pix_key", terms.pixKey() == null ? "" : terms.pixKey().value());
        }
        writeRefunds(json, transaction.refunds());
        writeEvents(json, transaction.statuses());
    }

    private void writeCashin(
            JsonGenerator json, TransactionSnapshot transaction, @Nullable Function<String, byte[]> qrCodeImage) {
        writePayer(json, transaction);
        String brCode = orEmpty(transaction.terms().brCode());
        json.writeStringProperty("txid", transaction.id().hex());
        json.writeStringProperty("payment_link", checkoutUrl + transaction.id());
        json.writeStringProperty("qr_code", brCode);
        if (qrCodeImage != null) {
            byte[] dataUri = qrCodeImage.apply(brCode);
            json.writeName("qr_code_image");
            json.writeRawUTF8String(dataUri, 0, dataUri.length); // nothing in a data URI needs an escape
        }
    }

    /** Nothing for a merchant without rules about payers. */
    private static void writePayer(JsonGenerator json, TransactionSnapshot transaction) {
        if (transaction.terms().payerMustMatch()) {
            json.writeBooleanProperty("payer_must_match", true);
        }
        Payer payer = transaction.paidBy();
        if (payer != null) {
            json.writeObjectPropertyStart("payer");
            json.writeStringProperty("name", orEmpty(payer.name()));
            json.writeStringProperty("document", payer.maskedTaxId());
            if (payer.ispb() != null) {
                json.writeStringProperty("ispb", payer.ispb());
            }
            json.writeEndObject();
        }
        if (Boolean.TRUE.equals(transaction.payerMismatch())) {
            json.writeBooleanProperty("payer_mismatch", true);
        }
    }

    /** Nothing for a transaction without refunds. */
    private void writeRefunds(JsonGenerator json, RefundSummary refunds) {
        if (refunds.count() == 0) {
            return;
        }
        json.writeStringProperty("refunded_amount", refunds.refunded().toString());
        json.writeNumberProperty("refunds_count", refunds.count());
        writeRefunds(json, refunds.shown());
    }

    /** Writes the property {@code refunds} with these refunds. */
    public void writeRefunds(JsonGenerator json, List<Refund> refunds) {
        json.writeArrayPropertyStart("refunds");
        for (Refund refund : refunds) {
            json.writeStartObject();
            json.writeStringProperty("id", refund.id().toString());
            json.writeStringProperty("amount", refund.amount().toString());
            json.writeStringProperty("status", refund.state().code());
            json.writeStringProperty("origin", origin(refund.source()));
            writeIfPresent(json, "reason", refund.reason());
            if (refund.rail() != null) {
                writeIfPresent(json, "nature", refund.rail().nature());
                writeIfPresent(json, "rtr_id", refund.rail().rtrId());
            }
            json.writeStringProperty("refund_reference", orEmpty(refund.reference()));
            json.writeStringProperty("description", orEmpty(refund.description()));
            json.writeStringProperty("date_created", timestamps.format(refund.requestedAt()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Writes a dispute into the current object of {@code json}. */
    public void writeDispute(JsonGenerator json, Dispute dispute) {
        json.writeStringProperty("id", dispute.id().toString());
        json.writeStringProperty("status", dispute.status().code());
        json.writeStringProperty("amount", dispute.amount().toString());
        json.writeStringProperty("reason", dispute.reason());
        json.writeStringProperty("situation", orEmpty(dispute.situation()));
        json.writeStringProperty("protocol", orEmpty(dispute.protocol()));
        json.writeStringProperty("deadline", timestamps.orEmpty(dispute.deadline()));
        json.writeStringProperty("date_created", timestamps.format(dispute.openedAt()));
    }

    /** The sandbox acts in place of the rail. */
    private static String origin(Source source) {
        return source == Source.MERCHANT || source == Source.SYSTEM ? source.code() : Source.RAIL.code();
    }

    private static void writeIfPresent(JsonGenerator json, String name, @Nullable String value) {
        if (value != null) {
            json.writeStringProperty(name, value);
        }
    }

    /** A payment after the transaction expired has {@code "late": true}. */
    private void writeEvents(JsonGenerator json, List<StatusAt> statuses) {
        json.writeArrayPropertyStart("events");
        for (int i = statuses.size() - 1; i >= 0; i--) {
            json.writeStartObject();
            json.writeStringProperty(
                    "date_created", timestamps.format(statuses.get(i).at()));
            json.writeStringProperty("status", statuses.get(i).status().code());
            if (i > 0 && statuses.get(i - 1).status() == Status.EXPIRED) {
                json.writeBooleanProperty("late", true);
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /**
     * Writes an entry of the history into the current object of {@code json}: its time, type, status, source and reason, the refund, and what a
     * merchant has said about it. What an operator has said is not for the merchant.
     */
    public void writeEntry(JsonGenerator json, Entry entry) {
        Status status = entry.newStatus();
        RefundId refund = entry.refund();
        json.writeStringProperty("date_created", timestamps.format(entry.at()));
        json.writeStringProperty("type", entry.kind());
        json.writeStringProperty("status", status == null ? "" : status.code());
        json.writeStringProperty("source", entry.source().code());
        json.writeStringProperty("reason", orEmpty(entry.reason()));
        json.writeStringProperty("description", orEmpty(said(entry)));
        json.writeStringProperty("refund_id", refund == null ? "" : refund.toString());
    }

    private static @Nullable String said(Entry entry) {
        if (entry instanceof Entry.StatusChanged changed) {
            return changed.source() == Source.MERCHANT ? changed.description() : null;
        }
        if (entry instanceof Entry.RefundRequested asked) {
            return asked.description();
        }
        return entry instanceof Entry.DefenseRequested defense ? defense.text() : null;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
