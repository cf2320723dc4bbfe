package dev.ligeiro.gateway.page.docs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What of a description makes clients that do not compile, or that throw when a gateway is newer than they are. Each rule was seen to break
 * a client of openapi-generator 7.25: of Java, Go, Python, TypeScript or PHP.
 */
final class GeneratorRules {

    /** Java and Python want exactly one to fit, Go refuses new fields in them, TypeScript imports a type {@code Null}. */
    private static final List<String> COMPOSED = List.of("oneOf", "anyOf", "allOf", "not");

    private final JsonNode document;
    private final List<String> faults = new ArrayList<>();
    private final Set<String> visited = new HashSet<>();

    private GeneratorRules(JsonNode document) {
        this.document = document;
    }

    static List<String> faults(JsonNode document) {
        GeneratorRules rules = new GeneratorRules(document);
        rules.checkNames();
        rules.checkOperations("paths", true);
        rules.checkOperations("webhooks", false);
        return rules.faults;
    }

    private void checkNames() {
        JsonNode schemas = document.path("components").path("schemas");
        for (String name : schemas.propertyNames()) {
            if (schemas.has("New" + name)) {
                faults.add("New" + name + ": Go makes a function of this name for " + name);
            }
        }
    }

    /** @param isOurs whether the gateway answers; a webhook is what the gateway asks */
    private void checkOperations(String member, boolean isOurs) {
        document.path(member)
                .properties()
                .forEach(path -> path.getValue().properties().forEach(method -> {
                    String place = method.getKey() + " " + path.getKey();
                    JsonNode operation = method.getValue();
                    if (!isOurs && !operation.path("x-internal").asBoolean(false)) {
                        faults.add(place + ": without x-internal Python gets a call that is no code");
                    }
                    operation.path("parameters").forEach(each -> {
                        JsonNode schema = resolved(each).path("schema");
                        if (isOurs && schema.has("$ref")) {
                            faults.add(place + ": axios sends the characters of a parameter that is a reference");
                        }
                        check(place + " parameter", schema, !isOurs);
                    });
                    checkContents(place + " request", operation.path("requestBody"), !isOurs);
                    operation.path("responses").forEach(each -> {
                        JsonNode response = resolved(each);
                        checkContents(place + " response", response, isOurs);
                        response.path("headers")
                                .forEach(header -> check(
                                        place + " header", resolved(header).path("schema"), isOurs));
                    });
                }));
    }

    private void checkContents(String place, JsonNode body, boolean isShown) {
        body.path("content").forEach(media -> check(place, media.path("schema"), isShown));
    }

    /** @param isShown whether the gateway sends such a value; then it may be newer than the client */
    private void check(String place, JsonNode schema, boolean isShown) {
        if (schema.has("$ref")) {
            String reference = schema.path("$ref").stringValue();
            if (visited.add(reference + isShown)) {
                check(reference, resolved(schema), isShown);
            }
            return;
        }
        COMPOSED.stream().filter(schema::has).forEach(word -> faults.add(place + ": " + word));
        if (schema.has("const")) {
            faults.add(place + ": const");
        }
        if (schema.has("enum") && isShown) {
            faults.add(place + ": a closed enum of what the gateway sends");
        }
        checkType(place, schema.path("type"));
        schema.path("properties")
                .properties()
                .forEach(field -> check(place + "." + field.getKey(), field.getValue(), isShown));
        for (String inner : List.of("items", "additionalProperties")) {
            if (schema.path(inner).isObject()) {
                check(place + "[]", schema.path(inner), isShown);
            }
        }
    }

    private void checkType(String place, JsonNode type) {
        boolean isNullable =
                type.isArray() && type.size() == 2 && type.path(1).asString().equals("null");
        String single = isNullable ? type.path(0).asString() : type.asString("");
        if (single.isEmpty() || single.equals("null")) {
            faults.add(place + ": not of one type");
        }
        if (single.equals("number")) {
            faults.add(place + ": amounts would be binary floating point");
        }
    }

    private JsonNode resolved(JsonNode node) {
        JsonNode reference = node.path("$ref");
        return reference.isMissingNode()
                ? node
                : document.requiredAt(reference.stringValue().substring(1));
    }
}
