package dev.ligeiro.gateway.page.docs;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Values that the schema of a request's field refuses. */
final class WrongValues {

    private WrongValues() {}

    static List<Object> of(JsonNode schema) {
        List<String> types = schema.path("type").isArray()
                ? schema.path("type").valueStream().map(JsonNode::stringValue).toList()
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
            wrong.addAll(List.of(0, -1, schema.path("maximum").decimalValue().add(BigDecimal.ONE)));
        }
        if (types.contains("array")) {
            wrong.add(List.of("-"));
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
