package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Bodies;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The fields of a request, one by one. */
final class FieldScenario {

    private final ApiDescription description;
    private final Calls calls;
    private final DocumentedOperation operation;
    private final JsonNode schema;
    private final String endpoint;

    /** @param endpoint of the paths that need one */
    FieldScenario(ApiDescription description, Calls calls, String operationId, String endpoint) {
        this.description = description;
        this.calls = calls;
        this.operation = calls.operation(operationId);
        this.schema = description.resolved(operation.requestSchema());
        this.endpoint = endpoint;
    }

    void requiredFieldsAreRequired() {
        schema.path("required").forEach(field -> {
            ObjectNode body = valid();
            body.remove(field.stringValue());
            assertThat(calls.send(operation.id(), body, endpoint).expect(422).fieldErrors())
                    .containsExactly(field.stringValue() + ":required");
        });
    }

    /** What the schema refuses is a field error of that name. */
    void wrongValuesAreRefused() {
        schema.path("properties").properties().forEach(field -> {
            for (Object wrong : WrongValues.of(description.resolved(field.getValue()))) {
                ObjectNode changed = valid();
                changed.putPOJO(field.getKey(), wrong);
                ObjectNode body = Bodies.parsed(changed.toString());
                assertThat(description.faults(operation.requestSchema(), body))
                        .as("%s", body)
                        .isNotEmpty();
                assertThat(calls.send(operation.id(), body, endpoint)
                                .expect(422)
                                .fieldErrors())
                        .as("%s", body)
                        .isNotEmpty()
                        .allMatch(error -> error.matches(field.getKey() + "(\\.[a-z-]+)?:.*"));
            }
        });
    }

    void optionalFieldsMayBeNull() {
        ObjectNode body = valid();
        schema.path("properties").properties().stream()
                .filter(field -> field.getValue().path("type").toString().contains("\"null\""))
                .forEach(field -> body.putNull(field.getKey()));
        assertThat(calls.send(operation.id(), body, endpoint).status())
                .as("%s", body)
                .isLessThan(300);
    }

    private ObjectNode valid() {
        Map<String, ObjectNode> examples = calls.examples(operation.id());
        ObjectNode body =
                examples.getOrDefault("all", examples.values().iterator().next());
        body.remove("reference");
        return body;
    }

    /** Values that the schema of a request's field refuses. */
    private static final class WrongValues {

        private WrongValues() {}

        static List<Object> of(JsonNode schema) {
            List<String> types = schema.path("type").isArray()
                    ? schema.path("type")
                            .valueStream()
                            .map(JsonNode::stringValue)
                            .toList()
                    : List.of(schema.path("type").stringValue());
            List<Object> wrong = new ArrayList<>();
            wrong.add(types.contains("boolean") ? "true" : true);
            if (schema.has("maxLength")) {
                wrong.add("x".repeat(schema.path("maxLength").intValue() + 1));
            }
            if (schema.has("minLength")) {
                wrong.add("");
            }
            if (schema.has("enum") || schema.has("format") || schema.has("pattern")) {
                wrong.add("-");
            }
            if (schema.has("minimum")) {
                wrong.addAll(
                        List.of(0, -1, schema.path("maximum").decimalValue().add(BigDecimal.ONE)));
            }
            if (types.contains("array")) {
                wrong.add(List.of(1));
            }
            if (schema.has("maxProperties")) {
                wrong.add(headers(schema.path("maxProperties").intValue() + 1));
            }
            return wrong;
        }

        private static Map<String, String> headers(int count) {
            return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "x-" + i, i -> "v"));
        }
    }
}
