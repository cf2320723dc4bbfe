package dev.ligeiro.infra.bank;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * BACEN's specification of the Pix API, which judges requests and answers. It is mended where it contradicts itself, so that a
 * validator can use it at all.
 */
final class OfficialSpecification {

    private static final JsonMapper JSON = new JsonMapper();
    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(Dialects.getOpenApi30());
    private static final OfficialSpecification INSTANCE = new OfficialSpecification();

    private final JsonNode document;
    private final Map<JsonNode, Schema> compiled = new ConcurrentHashMap<>();

    static OfficialSpecification get() {
        return INSTANCE;
    }

    private OfficialSpecification() {
        try (InputStream in = OfficialSpecification.class.getResourceAsStream("/pix-api/openapi.yaml")) {
            document = JSON.valueToTree(new Yaml().load(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        mendPatterns(document.path("components").path("schemas"));
        JsonNode schemas = document.path("components").path("schemas");
        // lists of Pix: the list is called pix, not cobs
        remove(schemas.at("/PixConsultados/required"), "cobs");
        // a charge names its location by the id alone, as in all examples of the specification
        remove(schemas.at("/PayloadLocationCob/required"), "tipoCob");
    }

    /**
     * Twelve CPFs and two IBGE codes have literal slashes around their pattern, and most patterns do not cover the whole value. A
     * location is a URI without its scheme, as in the specification's examples and in QR codes.
     */
    private static void mendPatterns(JsonNode node) {
        node.forEach(OfficialSpecification::mendPatterns);
        if (node.path("location").path("format").asString("").equals("uri")) {
            ((ObjectNode) node.path("location")).remove("format");
        }
        if (node instanceof ObjectNode schema && schema.path("pattern").isString()) {
            String pattern = schema.path("pattern").stringValue().replaceAll("^/|/$", "");
            schema.put("pattern", "^(?:" + pattern + ")$");
        }
    }

    private static void remove(JsonNode required, String name) {
        ArrayNode names = (ArrayNode) required;
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).asString("").equals(name)) {
                names.remove(i);
                return;
            }
        }
        throw new AssertionError("the specification no longer requires " + name);
    }

    /** The schema at a place of the document, as in {@code #/components/requestBodies/WebhookPixBody}. */
    JsonNode at(String pointer) {
        return document.at(pointer);
    }

    /**
     * What is wrong with a call that was accepted, or with the answer to any call.
     *
     * @param path without the base URL and the query
     * @param request empty for none
     * @param contentType null for an answer without one
     */
    List<String> faults(
            String method,
            String path,
            Map<String, String> query,
            String request,
            int status,
            @Nullable String contentType,
            String answer) {
        if (status >= 400) {
            return problem(contentType, answer);
        }
        JsonNode item = item(path);
        JsonNode operation = item.path(method.toLowerCase(Locale.ROOT));
        JsonNode response = resolved(operation.path("responses").path(String.valueOf(status)));
        List<String> faults = new ArrayList<>();
        if (response.isMissingNode()) {
            faults.add(status + " is not specified for " + method + " " + path);
        }
        for (JsonNode reference : operation.path("parameters")) {
            JsonNode parameter = resolved(reference);
            if (parameter.path("required").asBoolean(false)
                    && !query.containsKey(parameter.path("name").asString(""))) {
                faults.add("the parameter " + parameter.path("name") + " is missing");
            }
        }
        JsonNode body = resolved(operation.path("requestBody"));
        if (!body.isMissingNode()) {
            faults.addAll(faults(schema(body, "application/json"), request));
        }
        JsonNode content = schema(response, String.valueOf(contentType));
        if (!content.isMissingNode()) {
            faults.addAll(faults(content, answer));
        } else if (!answer.isEmpty()) {
            faults.add("an answer without a schema: " + contentType + " " + answer);
        }
        return faults;
    }

    private List<String> problem(@Nullable String contentType, String answer) {
        return String.valueOf(contentType).equals("application/problem+json")
                ? faults(document.at("/components/schemas/Problema"), answer)
                : List.of("an error as " + contentType + ": " + answer);
    }

    private JsonNode item(String path) {
        for (Map.Entry<String, JsonNode> entry : document.path("paths").properties()) {
            if (path.matches(entry.getKey().replaceAll("\\{[^}]+}", "[^/]+"))) {
                return entry.getValue();
            }
        }
        throw new AssertionError("not in the specification: " + path);
    }

    private JsonNode resolved(JsonNode node) {
        String reference = node.path("$ref").asString("");
        return reference.isEmpty() ? node : document.at(reference.substring(1));
    }

    private static JsonNode schema(JsonNode withContent, String contentType) {
        return withContent.path("content").path(contentType).path("schema");
    }

    List<String> faults(JsonNode schema, String text) {
        return compiled
                .computeIfAbsent(schema, this::compile)
                .validate(
                        JSON.readTree(text),
                        context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                .stream()
                .map(Error::toString)
                .toList();
    }

    private Schema compile(JsonNode schema) {
        ObjectNode whole = ((ObjectNode) schema).deepCopy();
        whole.set("components", document.path("components"));
        return REGISTRY.getSchema(whole);
    }
}
