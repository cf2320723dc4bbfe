package dev.ligeiro.infra.kubernetes;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON schemas of one version of Kubernetes, from the Python package kubernetes-validate, and those of the operators' kinds, from
 * {@code src/test/resources/schemas}. All are closed: an unknown field is a fault.
 */
final class Schemas {

    private static final String SERVER = "https://kubernetes";
    private static final Path ZIP = Path.of(Script.run("schemas").strip());
    private static final Path OPERATORS = Path.of("src", "test", "resources", "schemas");

    private final String folder;
    private final SchemaRegistry registry;

    Schemas(String version) {
        this.folder = "kubernetes_validate/kubernetes-json-schema/v" + version + "-local-strict/";
        this.registry = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(this::read));
    }

    List<String> faults(JsonNode manifest) {
        String file = "/api/" + fileName(manifest);
        return registry.getSchema(SchemaLocation.of(SERVER + file)).validate(manifest).stream()
                .map(Error::toString)
                .toList();
    }

    /** Such as {@code deployment-apps-v1.json}. */
    private static String fileName(JsonNode manifest) {
        String[] groupAndVersion = manifest.path("apiVersion").asString().split("/");
        String group = groupAndVersion.length == 1 ? "" : groupAndVersion[0].split("\\.")[0] + "-";
        return "%s-%s%s.json"
                .formatted(
                        manifest.path("kind").asString().toLowerCase(Locale.ROOT),
                        group,
                        groupAndVersion[groupAndVersion.length - 1]);
    }

    private @Nullable String read(String address) {
        if (!address.startsWith(SERVER)) {
            return null; // the meta schema, which the validator has
        }
        String name = address.substring(address.lastIndexOf('/') + 1);
        Path operators = OPERATORS.resolve(name.replace(".json", ".yaml"));
        if (Files.exists(operators)) {
            return closed(Yaml.file(operators)).toString();
        }
        try (ZipFile zip = new ZipFile(ZIP.toFile())) {
            ZipEntry entry = zip.getEntry(folder + name);
            if (entry == null) {
                throw new AssertionError("there is no schema " + name);
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode closed(JsonNode node) {
        node.forEach(Schemas::closed);
        if (node instanceof ObjectNode schema && schema.path("properties").isObject()) {
            schema.put("additionalProperties", false);
        }
        return node;
    }
}
