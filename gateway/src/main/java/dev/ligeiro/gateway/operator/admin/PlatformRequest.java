package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.transaction.Mode;
import tools.jackson.databind.node.ObjectNode;

/** A valid request to register a platform: {@code {name, mode}}. */
record PlatformRequest(String name, Mode mode) {

    private static final int NAME_MAX = 100;

    static PlatformRequest parse(ObjectNode body) {
        Fields fields = new Fields(body);
        String name = fields.requiredText("name", NAME_MAX);
        Mode mode = ModeField.required(fields);
        fields.orThrow();
        if (name == null || mode == null) {
            throw new IllegalStateException("a required field is missing without an error");
        }
        return new PlatformRequest(name, mode);
    }
}
