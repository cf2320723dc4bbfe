package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.gateway.http.response.JsonResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The response bodies. They contain no personal data. */
final class OperationsJson {

    private OperationsJson() {}

    static byte[] unsettled(OperationsPage<Unsettled> page, Instant now) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("unsettled");
            page.items().forEach(item -> write(json, item, now));
            json.writeEndArray();
            writeText(json, "next_cursor", page.next());
        });
    }

    static byte[] unmatched(OperationsPage<StoredUnmatchedPayment> page, Instant now) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("unmatched_payments");
            page.items().forEach(item -> write(json, item, now));
            json.writeEndArray();
            writeText(json, "next_cursor", page.next());
        });
    }

    private static void write(JsonGenerator json, Unsettled item, Instant now) {
        json.writeStartObject();
        json.writeStringProperty("id", item.id().toString());
        json.writeNumberProperty("tenant", item.tenant().key());
        json.writeStringProperty("mode", item.tenant().mode().name().toLowerCase(Locale.ROOT));
        json.writeStringProperty("operation", item.operation());
        json.writeStringProperty("status", item.status());
        json.writeStringProperty("since", item.since().toString());
        writeAge(json, item.since(), now);
        json.writeArrayPropertyStart("calls");
        item.calls().forEach(call -> write(json, call));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Unsettled.Call call) {
        json.writeStartObject();
        writeText(json, "refund_id", call.refund());
        json.writeStringProperty("since", call.since().toString());
        json.writeNumberProperty("submissions", call.submissions());
        json.writeNumberProperty("inquiries", call.inquiries());
        json.writeStringProperty("due_at", call.dueAt().toString());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, StoredUnmatchedPayment item, Instant now) {
        json.writeStartObject();
        json.writeStringProperty("id", item.id());
        json.writeStringProperty("rail", item.rail());
        json.writeStringProperty("end_to_end_id", item.endToEndId());
        json.writeStringProperty("transaction_id", item.transactionId().toString());
        writeText(json, "amount", item.amount());
        json.writeStringProperty("reason", item.reason());
        json.writeStringProperty("at", item.at().toString());
        writeAge(json, item.at(), now);
        json.writeEndObject();
    }

    private static void writeAge(JsonGenerator json, Instant since, Instant now) {
        json.writeNumberProperty("age_seconds", Duration.between(since, now).toSeconds());
    }

    private static void writeText(JsonGenerator json, String name, @Nullable Object value) {
        json.writeStringProperty(name, value == null ? null : value.toString());
    }
}
