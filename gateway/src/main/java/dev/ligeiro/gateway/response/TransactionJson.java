package dev.ligeiro.gateway.response;

import dev.ligeiro.gateway.qrcode.QrCodeImage;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.view.TransactionView;
import org.springframework.stereotype.Component;
import tools.jackson.core.JsonGenerator;

/** Transactions in JSON, each with the QR image of its BR Code. The image is drawn for every response and never stored. */
@Component
public final class TransactionJson {

    private final TransactionView view;

    TransactionJson(TransactionView view) {
        this.view = view;
    }

    /** The body of a response with one transaction: {@code {"transaction":[{…}]}}. */
    public byte[] one(Transaction transaction) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("transaction");
            write(json, transaction);
            json.writeEndArray();
        });
    }

    public void write(JsonGenerator json, Transaction transaction) {
        json.writeStartObject();
        view.writeFields(json, transaction, QrCodeImage::dataUriBytes);
        json.writeEndObject();
    }
}
