package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.operator.records.ListAfterBackup.Compared;
import dev.ligeiro.transaction.TransactionSnapshot;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The response body. It contains no personal data. */
final class AfterBackupJson {

    private AfterBackupJson() {}

    static byte[] of(Compared compared) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("transactions");
            compared.lost().forEach(each -> write(json, each));
            json.writeEndArray();
            json.writeNumberProperty("records", compared.page().records());
            json.writeNumberProperty("unreadable", compared.page().unreadable());
            writeText(json, "next_cursor", compared.page().next());
        });
    }

    private static void write(JsonGenerator json, LostState lost) {
        TransactionSnapshot known = lost.known().transaction();
        json.writeStartObject();
        json.writeStringProperty("id", known.id().toString());
        json.writeNumberProperty("tenant", known.tenant().key());
        json.writeStringProperty("mode", known.tenant().mode().code());
        json.writeStringProperty("operation", known.operation().code());
        json.writeStringProperty("amount", known.terms().amount().toString());
        writeText(json, "reference", known.terms().reference());
        json.writeStringProperty("end_to_end_id", known.endToEndId());
        json.writeStringProperty("status", known.status().code());
        writeText(
                json,
                "stored_status",
                lost.stored() == null ? null : lost.stored().status().code());
        json.writeNumberProperty("sequence", lost.known().sequence());
        json.writeNumberProperty(
                "stored_sequence", lost.stored() == null ? 0 : lost.stored().sequence());
        json.writeStringProperty("at", lost.known().at().toString());
        json.writeStringProperty("webhook_id", lost.known().id().toString());
        json.writeEndObject();
    }

    private static void writeText(JsonGenerator json, String name, @Nullable Object value) {
        json.writeStringProperty(name, value == null ? null : value.toString());
    }
}
