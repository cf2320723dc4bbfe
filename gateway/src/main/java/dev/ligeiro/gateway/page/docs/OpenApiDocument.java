package dev.ligeiro.gateway.page.docs;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
            "webhooks",
            "deliveries",
            "events",
            "statement",
            "console",
            "pages",
            "problems");

    /** Against documents that grow without bound; this one has about 150. */
    private static final int ALIASES_MAX = 1_000;

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
        String json = JSON.writeValueAsString(document);
        return PageFile.of(json.substring(1).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The beginning of the document.
     *
     * @param serverUrl where the caller reaches the gateway, without a slash at its end
     */
    static byte[] head(String serverUrl) {
        String servers = "{\"servers\":[{\"url\":" + JSON.writeValueAsString(serverUrl) + "}],";
        return servers.getBytes(StandardCharsets.UTF_8);
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
