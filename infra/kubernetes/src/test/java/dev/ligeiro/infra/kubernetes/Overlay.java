package dev.ligeiro.infra.kubernetes;

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
        return Stream.of(of(SMALL), of(STRIMZI_MCK), of(MANAGED));
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
