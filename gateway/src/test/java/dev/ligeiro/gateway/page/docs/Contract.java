package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.client.Answer;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Compares the gateway's answers with the description, and remembers what of the description they have shown. */
final class Contract {

    private static final Set<String> HEADERS_OF_ALL = Set.of(
            "content-type", "content-length", "transfer-encoding", "cache-control", "ratelimit", "ratelimit-policy");

    private final ApiDescription description;
    private final Set<String> seenResponses = new TreeSet<>();
    private final Set<String> seenFields = new TreeSet<>();

    Contract(ApiDescription description) {
        this.description = description;
    }

    ApiDescription description() {
        return description;
    }

    /** Returns the answer. */
    Answer check(String operationId, Answer answer) {
        DocumentedOperation operation = description.operation(operationId);
        assertThat(operation.statuses())
                .as("%s: %s", operation, answer.body())
                .contains(Integer.toString(answer.status()));
        JsonNode response = operation.response(answer.status());
        checkHeaders(operation, response, answer);
        if (response.has("content")) {
            checkBody(operation, response, answer);
        } else {
            assertThat(answer.body()).as("%s", operation).isEmpty();
        }
        seenResponses.add(seen(operation, answer.status(), isProblem(answer) ? answer.text("code") : ""));
        return answer;
    }

    private void checkHeaders(DocumentedOperation operation, JsonNode response, Answer answer) {
        response.path("headers").properties().forEach(described -> {
            JsonNode header = description.resolved(described.getValue());
            String value = answer.header(described.getKey());
            assertThat(value.isEmpty() && header.path("required").asBoolean())
                    .as("%s %d without %s", operation, answer.status(), described.getKey())
                    .isFalse();
            if (!value.isEmpty()) {
                JsonNode text = JsonNodeFactory.instance.stringNode(value);
                assertThat(description.faults(header.path("schema"), text))
                        .as("%s: %s", operation, described.getKey())
                        .isEmpty();
            }
        });
        if (operation.needsKey()) {
            Set<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
            known.addAll(HEADERS_OF_ALL);
            known.addAll(response.path("headers").propertyNames());
            assertThat(answer.headers().map().keySet()).as("%s", operation).allMatch(known::contains);
        }
    }

    private void checkBody(DocumentedOperation operation, JsonNode response, Answer answer) {
        String type = answer.header("Content-Type").replaceFirst(";.*", "");
        assertThat(response.path("content").propertyNames())
                .as("%s: %s", operation, answer.body())
                .contains(type);
        if (!type.endsWith("json")) {
            return;
        }
        JsonNode schema = response.path("content").path(type).path("schema");
        assertThat(description.faults(schema, answer.json()))
                .as("%s: %s", operation, answer.body())
                .isEmpty();
        if (isProblem(answer)) {
            checkProblem(operation, answer);
        }
        remember("", schema, answer.json());
    }

    private static void checkProblem(DocumentedOperation operation, Answer answer) {
        Map<String, ObjectNode> described = operation.problems(answer.status());
        assertThat(described).as("%s: %s", operation, answer.body()).containsKey(answer.text("code"));
        JsonNode example = Objects.requireNonNull(described.get(answer.text("code")));
        for (String member : new String[] {"type", "title", "status"}) {
            assertThat(answer.json().path(member)).isEqualTo(example.path(member));
        }
    }

    private static boolean isProblem(Answer answer) {
        return answer.header("Content-Type").equals("application/problem+json");
    }

    /** @param name of the component that {@code schema} is part of */
    private void remember(String name, JsonNode schema, JsonNode value) {
        if (schema.has("$ref")) {
            String component = schema.path("$ref").stringValue().replaceFirst(".*/", "");
            remember(component, description.resolved(schema), value);
        }
        schema.path("oneOf")
                .valueStream()
                .filter(each -> description.faults(each, value).isEmpty())
                .forEach(each -> remember(name, each, value));
        schema.path("properties").properties().stream()
                .filter(property -> value.has(property.getKey()))
                .forEach(property -> {
                    seenFields.add(name + "." + property.getKey());
                    remember(name, property.getValue(), value.path(property.getKey()));
                });
        value.valueStream().filter(each -> value.isArray()).forEach(each -> remember(name, schema.path("items"), each));
    }

    /** Every described response, with each of its codes. */
    Set<String> describedResponses() {
        Set<String> described = new TreeSet<>();
        for (DocumentedOperation operation : description.operations()) {
            for (String status : operation.statuses()) {
                Set<String> codes = operation.problems(Integer.parseInt(status)).keySet();
                (codes.isEmpty() ? Set.of("") : codes)
                        .forEach(code -> described.add(seen(operation, Integer.parseInt(status), code)));
            }
        }
        return described;
    }

    /** Every described field of a response. */
    Set<String> describedFields() {
        Set<String> described = new TreeSet<>();
        for (DocumentedOperation operation : description.operations()) {
            for (String status : operation.statuses()) {
                operation
                        .response(Integer.parseInt(status))
                        .path("content")
                        .forEach(content -> collect("", content.path("schema"), described));
            }
        }
        return described;
    }

    private void collect(String name, JsonNode schema, Set<String> into) {
        if (schema.has("$ref")) {
            String component = schema.path("$ref").stringValue().replaceFirst(".*/", "");
            collect(component, description.resolved(schema), into);
        }
        schema.path("oneOf").forEach(each -> collect(name, each, into));
        schema.path("properties").properties().forEach(property -> {
            into.add(name + "." + property.getKey());
            collect(name, property.getValue(), into);
        });
        if (schema.has("items")) {
            collect(name, schema.path("items"), into);
        }
    }

    Set<String> seenResponses() {
        return seenResponses;
    }

    Set<String> seenFields() {
        return seenFields;
    }

    private static String seen(DocumentedOperation operation, int status, String code) {
        return "%s %d %s".formatted(operation.id(), status, code).strip();
    }
}
