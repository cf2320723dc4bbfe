package dev.ligeiro.infra.standalone.endtoend;

import dev.ligeiro.testing.webhook.WebhookReceiver.Received;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A webhook with a valid signature.
 *
 * @param id the header {@code webhook-id}, the same at each repetition
 */
record ReceivedWebhook(String id, JsonNode payload) {

    private static final JsonMapper JSON = new JsonMapper();

    static ReceivedWebhook of(Received request) {
        return new ReceivedWebhook(request.header("webhook-id"), JSON.readTree(request.body()));
    }

    String type() {
        return payload.required("type").asString();
    }

    int sequence() {
        return payload.required("data").required("sequence").asInt();
    }

    TransactionJson transaction() {
        return new TransactionJson(payload.required("data"));
    }
}
