package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.qrcode.QrCodeImage;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.view.TransactionView;
import org.springframework.stereotype.Component;
import tools.jackson.core.JsonGenerator;

/** Transactions in answers: each with the picture of its BR Code, which is drawn when read and never stored. */
@Component
public final class TransactionAnswers {

    private final TransactionView view;

    TransactionAnswers(TransactionView view) {
        this.view = view;
    }

    /** {@code {"transaction":[…]}} with one transaction (specification §4.1 to §4.3). */
    public byte[] one(Transaction transaction) {
        return Answers.object(json -> {
            json.writeArrayPropertyStart("transaction");
            write(json, transaction);
            json.writeEndArray();
        });
    }

    /** One transaction as an object. */
    public void write(JsonGenerator json, Transaction transaction) {
        json.writeStartObject();
        view.writeFields(json, transaction, QrCodeImage::dataUri);
        json.writeEndObject();
    }
}
