package dev.ligeiro.infra.standalone.endtoend;

import tools.jackson.databind.JsonNode;

/**
 * A webhook that came with a good signature.
 *
 * @param id its {@code webhook-id}: the same whenever it is sent again
 */
record Received(String id, JsonNode payload) {

    String type() {
        return payload.required("type").asString();
    }

    int sequence() {
        return payload.required("data").required("sequence").asInt();
    }

    Shown transaction() {
        return new Shown(payload.required("data"));
    }
}
