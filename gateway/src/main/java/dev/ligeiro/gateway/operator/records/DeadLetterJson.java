package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.operator.records.ListDeadLetters.Listed;
import dev.ligeiro.gateway.operator.records.SelectDeadLetters.Selected;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The response bodies. They contain no value of a record, and a key only if it is a transaction id. */
final class DeadLetterJson {

    private DeadLetterJson() {}

    static byte[] list(DeadLetterTopic topic, Listed listed) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("dead_letters");
            listed.deadLetters()
                    .forEach(each -> write(json, topic, each, listed.redriven().contains(each.id())));
            json.writeEndArray();
            writeText(json, "next_cursor", listed.next());
        });
    }

    static byte[] redriven(RedriveRequest request, Selected selected) {
        return JsonResponse.object(json -> {
            json.writeBooleanProperty("dry_run", request.dryRun());
            json.writeStringProperty("topic", request.topic().code());
            json.writeNumberProperty("count", selected.open().size());
            json.writeArrayPropertyStart("ids");
            selected.open().forEach(each -> json.writeString(each.id().toString()));
            json.writeEndArray();
            json.writeNumberProperty("already_redriven", selected.alreadyRedriven());
            writeText(json, "next_cursor", selected.next());
        });
    }

    private static void write(JsonGenerator json, DeadLetterTopic topic, DeadLetter deadLetter, boolean redriven) {
        json.writeStartObject();
        json.writeStringProperty("id", deadLetter.id().toString());
        json.writeStringProperty("topic", topic.code());
        writeNumber(json, "original_partition", deadLetter.originalPartition());
        writeNumber(json, "original_offset", deadLetter.originalOffset());
        writeText(json, "reason", deadLetter.reason());
        writeText(json, "detail", deadLetter.detail());
        writeText(json, "exception", deadLetter.exception());
        writeText(json, "transaction_id", deadLetter.transactionId());
        json.writeStringProperty("at", deadLetter.at().toString());
        json.writeBooleanProperty("redriven", redriven);
        json.writeEndObject();
    }

    private static void writeText(JsonGenerator json, String name, @Nullable Object value) {
        json.writeStringProperty(name, value == null ? null : value.toString());
    }

    private static void writeNumber(JsonGenerator json, String name, @Nullable Long value) {
        if (value == null) {
            json.writeNullProperty(name);
        } else {
            json.writeNumberProperty(name, value);
        }
    }
}
