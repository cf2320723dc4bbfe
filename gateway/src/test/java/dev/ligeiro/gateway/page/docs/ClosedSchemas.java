package dev.ligeiro.gateway.page.docs;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Validates values against the schemas of a document (JSON Schema 2020-12) that permit no further members and assert formats. */
final class ClosedSchemas {

    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private final JsonNode components;
    private final Map<JsonNode, Schema> compiled = new HashMap<>();

    ClosedSchemas(JsonNode document) {
        this.components = closed(document.path("components").deepCopy());
    }

    List<String> faults(JsonNode schema, JsonNode value) {
        return compiled
                .computeIfAbsent(schema, this::compile)
                .validate(value, context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                .stream()
                .map(Error::toString)
                .toList();
    }

    private Schema compile(JsonNode schema) {
        ObjectNode whole = (ObjectNode) closed(schema.deepCopy());
        whole.set("components", components);
        return REGISTRY.getSchema(whole);
    }

    private static JsonNode closed(JsonNode node) {
        node.forEach(ClosedSchemas::closed);
        if (node instanceof ObjectNode schema) {
            if (schema.has("properties") && !schema.has("additionalProperties")) {
                schema.put("additionalProperties", false);
            }
            if (schema.path("type").isArray() && schema.has("minimum")) {
                splitByType(schema);
            }
        }
        return node;
    }

    /** The validator (3.0.0) throws for a {@code minimum} beside several types. */
    private static void splitByType(ObjectNode schema) {
        ObjectNode same = schema.deepCopy();
        schema.removeAll();
        same.path("type")
                .forEach(type -> schema.withArray("anyOf").add(same.deepCopy().set("type", type)));
    }
}
