package dev.ligeiro.gateway.http.response;

import dev.ligeiro.gateway.qrcode.QrCodeImage;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.History;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.TransactionSnapshot;
import dev.ligeiro.view.TransactionView;
import java.util.List;
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
    public byte[] one(TransactionSnapshot transaction) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("transaction");
            write(json, transaction);
            json.writeEndArray();
        });
    }

    /** The body of a page of a transaction's refunds. */
    public byte[] refunds(Page<Refund> page) {
        return JsonResponse.object(json -> {
            view.writeRefunds(json, page.items());
            json.writeStringProperty("next_cursor", page.next());
        });
    }

    /** The body of a response with all that has happened to a transaction: {@code {"history":[{…}]}}, the newest first. */
    public byte[] history(History history) {
        List<Entry> entries = history.entries();
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("history");
            for (int i = entries.size() - 1; i >= 0; i--) {
                json.writeStartObject();
                view.writeEntry(json, entries.get(i));
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    public void write(JsonGenerator json, TransactionSnapshot transaction) {
        json.writeStartObject();
        view.writeFields(json, transaction, QrCodeImage::dataUriBytes);
        json.writeEndObject();
    }
}
