package dev.ligeiro.gateway.page.docs;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;

/**
 * The description of the API (OpenAPI 3.1), put together from the files in {@code openapi/}. Each file has a part of the document's
 * members; its members that start with {@code x-} only hold what the file uses several times.
 */
final class OpenApiDocument {

    private static final List<String> FILES = List.of(
            "openapi",
            "transactions",
            "changes",
            "disputes",
            "webhooks",
            "deliveries",
            "events",
            "statement",
            "console",
            "pages",
            "problems");

    /** Against documents that grow without bound; this one has about 150. */
    private static final int ALIASES_MAX = 1_000;

    /** The values that a field of an answer has today (Zalando's REST guidelines, rule 112). */
    private static final String KNOWN_VALUES = "x-extensible-enum";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private OpenApiDocument() {}

    /** Reads the files; takes about 0.1 s. The members but the servers, the same for all callers, up to the end of the document. */
    static PageFile members() {
        Map<String, Object> document = new LinkedHashMap<>();
        for (String file : FILES) {
            Map<String, Object> part = part(file);
            part.keySet().removeIf(member -> member.startsWith("x-"));
            merge(document, part);
        }
        nameKnownValues(document);
        String json = JSON.writeValueAsString(document);
        return PageFile.of(json.substring(1).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Says the known values of an answer's field in its description too, where readers of generated code see them. An {@code enum} would make
     * most generated clients throw when a gateway answers with a value that is newer than they are.
     */
    @SuppressWarnings("unchecked")
    private static void nameKnownValues(Object node) {
        if (node instanceof Map<?, ?> members) {
            if (members.get(KNOWN_VALUES) instanceof List<?> values) {
                String known = values.stream()
                        .map(value -> value.equals("") ? "`\"\"`" : "`" + value + "`")
                        .collect(Collectors.joining(", ", "Known values: ", ". More may be added."));
                ((Map<String, Object>) members)
                        .merge("description", known, (text, added) -> withSentence((String) text, known));
            }
            members.values().forEach(OpenApiDocument::nameKnownValues);
        } else if (node instanceof List<?> items) {
            items.forEach(OpenApiDocument::nameKnownValues);
        }
    }

    /** An anchor of YAML leads to the same member several times. */
    private static String withSentence(String text, String sentence) {
        return text.endsWith(sentence) ? text : text.strip() + "\n\n" + sentence;
    }

    /**
     * The beginning of the document.
     *
     * @param serverUrl where the caller reaches the gateway, without a slash at its end
     */
    static byte[] head(String serverUrl) {
        String json = JSON.writeValueAsString(Map.of(
                "servers", List.of(Map.of("url", serverUrl)),
                "externalDocs", Map.of("description", "Guide", "url", serverUrl + "/docs")));
        return (json.substring(0, json.length() - 1) + ",").getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> part(String file) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(ALIASES_MAX);
        String yaml = new String(PageFile.bytes("/openapi/" + file + ".yaml"), StandardCharsets.UTF_8);
        return new Yaml(new SafeConstructor(options)).load(yaml);
    }

    /** Adds {@code part} to {@code document}; members that both have are merged. */
    @SuppressWarnings("unchecked")
    private static void merge(Map<String, Object> document, Map<String, Object> part) {
        part.forEach((name, value) -> {
            Object present = document.putIfAbsent(name, value);
            if (present instanceof Map<?, ?> members && value instanceof Map<?, ?> more) {
                merge((Map<String, Object>) members, (Map<String, Object>) more);
            } else if (present != null) {
                throw new IllegalStateException(name + ": in two files");
            }
        });
    }
}
