package dev.ligeiro.infra.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** YAML documents as trees, and the files of the checkout. */
final class Yaml {

    static final Path ROOT = Path.of("..", "..");

    private static final JsonMapper JSON = new JsonMapper();

    private Yaml() {}

    static JsonNode file(Path file) {
        return documents(text(file)).get(0);
    }

    static List<JsonNode> documents(String text) {
        Iterable<Object> documents = new org.yaml.snakeyaml.Yaml().loadAll(text);
        return StreamSupport.stream(documents.spliterator(), false)
                .<JsonNode>map(document -> JSON.valueToTree(document))
                .toList();
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Calls {@code each} with the path of each value of a tree, such as {@code ligeiro.intake.batch-timeout}, and its text. */
    static void flatten(String path, JsonNode node, BiConsumer<String, String> each) {
        if (node.isObject() && !node.isEmpty()) {
            for (Map.Entry<String, JsonNode> member : node.properties()) {
                flatten(path.isEmpty() ? member.getKey() : path + "." + member.getKey(), member.getValue(), each);
            }
        } else {
            each.accept(path, node.isValueNode() ? node.asString() : node.toString());
        }
    }
}
