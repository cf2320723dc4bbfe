package dev.ligeiro.gateway.page.docs;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One method of one path of the description. */
record DocumentedOperation(ApiDescription description, String lowerCaseMethod, String path, JsonNode node) {

    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";

    String id() {
        return node.required("operationId").stringValue();
    }

    String method() {
        return lowerCaseMethod.toUpperCase(Locale.ROOT);
    }

    String route() {
        return method() + " " + path;
    }

    /** The path with {@code ids} in place of its parameters, in their order. */
    String path(String... ids) {
        String filled = path;
        for (String id : ids) {
            filled = filled.replaceFirst("\\{[a-z_]+}", id);
        }
        return filled;
    }

    boolean needsKey() {
        return !node.path("security").isEmpty();
    }

    boolean hasBody() {
        return node.has("requestBody");
    }

    /** The scopes of which a key needs one. */
    Set<String> scopes() {
        return node.path("security")
                .valueStream()
                .flatMap(scheme -> scheme.path("apiKey").valueStream())
                .map(JsonNode::stringValue)
                .collect(Collectors.toSet());
    }

    List<JsonNode> parameters(String in) {
        return node.path("parameters")
                .valueStream()
                .map(description::resolved)
                .filter(parameter -> parameter.path("in").stringValue().equals(in))
                .toList();
    }

    boolean hasParameter(String in, String name) {
        return parameters(in).stream()
                .anyMatch(each -> each.path("name").stringValue().equals(name));
    }

    JsonNode requestSchema() {
        return requestContent().path("schema");
    }

    /** By their names. */
    Map<String, ObjectNode> requestExamples() {
        return examples(requestContent());
    }

    private JsonNode requestContent() {
        return node.path("requestBody").path("content").path(JSON);
    }

    /** The described status codes, without {@code 4XX}, which stands for the refusals before an operation is reached. */
    Set<String> statuses() {
        Set<String> statuses = new LinkedHashSet<>(node.path("responses").propertyNames());
        statuses.remove("4XX");
        return statuses;
    }

    JsonNode response(int status) {
        return description.resolved(node.path("responses").path(Integer.toString(status)));
    }

    /** The problems of a status by their codes. */
    Map<String, ObjectNode> problems(int status) {
        return examples(response(status).path("content").path(PROBLEM));
    }

    private Map<String, ObjectNode> examples(JsonNode content) {
        Map<String, ObjectNode> values = new LinkedHashMap<>();
        content.path("examples")
                .properties()
                .forEach(example -> values.put(example.getKey(), (ObjectNode) description
                        .resolved(example.getValue())
                        .required("value")
                        .deepCopy()));
        return values;
    }

    @Override
    public String toString() {
        return route();
    }
}
