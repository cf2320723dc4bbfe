package dev.ligeiro.gateway.page.docs;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.ligeiro.support.problem.ProblemCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The API's description, as tests read it. */
final class ApiDescription {

    /** Those of the API: the others are the operators'. */
    static final List<ProblemCode> PROBLEMS = List.copyOf(EnumSet.complementOf(EnumSet.of(
            ProblemCode.INSUFFICIENT_ROLE,
            ProblemCode.SECOND_OPERATOR_NEEDED,
            ProblemCode.KEY_NOT_ACTIVE,
            ProblemCode.NOT_RESOLVABLE,
            ProblemCode.RESOLUTION_OPEN,
            ProblemCode.CHANGED_MEANWHILE)));

    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

    private final JsonNode document;
    private final ClosedSchemas schemas;

    private ApiDescription(JsonNode document) {
        this.document = document;
        this.schemas = new ClosedSchemas(document);
    }

    static ApiDescription read() {
        String json = new String(OpenApiDocument.head("https://pix.example.com"), StandardCharsets.UTF_8)
                + OpenApiDocument.members()
                        .view(DefaultDataBufferFactory.sharedInstance)
                        .toString(StandardCharsets.UTF_8);
        return new ApiDescription(JsonMapper.shared().readTree(json));
    }

    JsonNode document() {
        return document;
    }

    List<DocumentedOperation> operations() {
        return operationsOf("paths");
    }

    List<DocumentedOperation> webhooks() {
        return operationsOf("webhooks");
    }

    private List<DocumentedOperation> operationsOf(String member) {
        List<DocumentedOperation> operations = new ArrayList<>();
        document.path(member).properties().forEach(path -> path.getValue().properties().stream()
                .filter(each -> METHODS.contains(each.getKey()))
                .forEach(each ->
                        operations.add(new DocumentedOperation(this, each.getKey(), path.getKey(), each.getValue()))));
        return operations;
    }

    DocumentedOperation operation(String id) {
        return operations().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no operation " + id));
    }

    JsonNode schema(String name) {
        return document.path("components").path("schemas").required(name);
    }

    /** {@code node}, or what its {@code $ref} refers to. */
    JsonNode resolved(JsonNode node) {
        JsonNode reference = node.path("$ref");
        return reference.isMissingNode()
                ? node
                : resolved(document.requiredAt(reference.stringValue().substring(1)));
    }

    /** Why {@code value} does not follow {@code schema}; members that the schema does not describe are faults. */
    List<String> faults(JsonNode schema, JsonNode value) {
        return schemas.faults(schema, value);
    }

    /** The values that the schema names; new ones may come, but for a field of a request. */
    List<String> values(JsonNode schema) {
        return schema.path(schema.has("enum") ? "enum" : "x-extensible-enum")
                .valueStream()
                .map(JsonNode::stringValue)
                .toList();
    }

    /** Validates values against the schemas of a document (JSON Schema 2020-12) that permit no further members and assert formats. */
    private static final class ClosedSchemas {

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
            same.path("type").forEach(type -> schema.withArray("anyOf")
                    .add(same.deepCopy().set("type", type)));
        }
    }
}
