package dev.ligeiro.infra.launcher.endtoend;

import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** The JSON of a transaction in a response or a webhook. */
record ShownTransaction(JsonNode json) {

    String id() {
        return text("id");
    }

    String status() {
        return text("status");
    }

    String text(String field) {
        return json.required(field).asString();
    }

    /** All its statuses so far, the newest first. */
    List<String> events() {
        return StreamSupport.stream(json.required("events").spliterator(), false)
                .map(event -> event.required("status").asString())
                .toList();
    }

    /** The states of its refunds, the oldest first; empty when it has none. */
    List<String> refundStates() {
        return StreamSupport.stream(json.path("refunds").spliterator(), false)
                .map(refund -> refund.required("status").asString())
                .toList();
    }
}
