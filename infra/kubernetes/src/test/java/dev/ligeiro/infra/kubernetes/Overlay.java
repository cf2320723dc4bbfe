package dev.ligeiro.infra.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The manifests of one overlay, as kustomize renders them. */
record Overlay(String name, List<JsonNode> manifests) {

    static final String SMALL = "small";
    static final String STRIMZI_MCK = "strimzi-mck";
    static final String MANAGED = "managed";

    private static final Map<String, Overlay> RENDERED = new ConcurrentHashMap<>();

    /** Rendered once for all tests. */
    static Overlay of(String name) {
        return RENDERED.computeIfAbsent(
                name, overlay -> new Overlay(overlay, Yaml.documents(Script.run("render", overlay))));
    }

    static Stream<Overlay> all() {
        return names("overlays").stream().map(Overlay::of);
    }

    /** Of the overlays, or of the components. */
    static List<String> names(String folder) {
        try (Stream<Path> folders = Files.list(Path.of(folder))) {
            return folders.map(one -> one.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Stream<JsonNode> kind(String kind) {
        return manifests.stream()
                .filter(manifest -> manifest.path("kind").asString().equals(kind));
    }

    JsonNode only(String kind, String name) {
        List<JsonNode> found =
                kind(kind).filter(manifest -> nameOf(manifest).equals(name)).toList();
        if (found.size() != 1) {
            throw new AssertionError(this + ": " + found.size() + " of " + kind + " " + name + " (expected: 1)");
        }
        return found.get(0);
    }

    static String nameOf(JsonNode manifest) {
        return manifest.at("/metadata/name").asString();
    }

    @Override
    public String toString() {
        return name;
    }
}
