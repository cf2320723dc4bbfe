package dev.ligeiro.infra.standalone.endtoend;

import dev.ligeiro.testing.webhook.WebhookReceiver.Received;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A webhook with a good signature.
 *
 * @param id its {@code webhook-id}: the same whenever it is sent again
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

    ShownTransaction transaction() {
        return new ShownTransaction(payload.required("data"));
    }
}
