package dev.ligeiro.infra.standalone.endtoend;

import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** A transaction as the API or a webhook shows it. */
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

    /** Every status it has had, the newest first. */
    List<String> events() {
        return StreamSupport.stream(json.required("events").spliterator(), false)
                .map(event -> event.required("status").asString())
                .toList();
    }
}
