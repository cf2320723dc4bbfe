package dev.ligeiro.infra.launcher.endtoend;

import dev.ligeiro.testing.webhook.WebhookReceiver.Received;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A webhook with a valid signature. */
record ReceivedWebhook(Received request, JsonNode payload) {

    private static final JsonMapper JSON = new JsonMapper();

    static ReceivedWebhook of(Received request) {
        return new ReceivedWebhook(request, JSON.readTree(request.body()));
    }

    /** The header {@code webhook-id}, the same at each repetition. */
    String id() {
        return request.header("webhook-id");
    }

    String type() {
        return payload.required("type").asString();
    }

    int sequence() {
        return payload.required("data").required("sequence").asInt();
    }

    ShownTransaction transaction() {
        return new ShownTransaction(payload.required("data"));
    }
}
