package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Bodies;
import java.util.Map;
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
}
