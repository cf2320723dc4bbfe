package dev.ligeiro.infra.loadtest.list;

import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** The sizes of the command {@code lists}, set by picocli. {@code Lists.properties} describes each. */
final class ListOptions {

    static final String GRID = "grid";
    static final String STORM = "storm";
    static final String WALK = "walk";
    private static final Set<String> PARTS = Set.of(GRID, STORM, WALK);

    @Option(
            names = "--parts",
            split = ",",
            hideParamSyntax = true,
            paramLabel = "LIST",
            defaultValue = "grid,storm,walk")
    List<String> parts = List.of();

    @Option(names = "--stored", paramLabel = "N", defaultValue = "10000000")
    long stored;

    @Option(names = "--beside", paramLabel = "N", defaultValue = "1000000")
    long beside;

    @Option(names = "--days", paramLabel = "N", defaultValue = "60")
    int days;

    @Option(names = "--wait", paramLabel = "S", defaultValue = "120")
    int waitSeconds;

    @Option(names = "--requests", paramLabel = "N", defaultValue = "100")
    int requests;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "300")
    double rate;

    @Option(names = "--changes", paramLabel = "N", defaultValue = "50")
    double changes;

    @Option(names = "--readers", paramLabel = "N", defaultValue = "50")
    int readers;

    @Option(names = "--warm", paramLabel = "S", defaultValue = "35")
    int warmSeconds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "60")
    int seconds;

    @Option(names = "--kill-seconds", paramLabel = "S", defaultValue = "60")
    int killSeconds;

    @Option(names = "--kill-every", paramLabel = "S", defaultValue = "20")
    int killEvery;

    @Option(names = "--filters", paramLabel = "N", defaultValue = "500")
    int filters;

    @Option(names = "--walk", paramLabel = "N", defaultValue = "1000000")
    int walk;

    /** @throws IllegalArgumentException naming the first unknown part */
    void requireValid() {
        parts.stream().filter(part -> !PARTS.contains(part)).findFirst().ifPresent(unknown -> {
            throw new IllegalArgumentException("--parts: " + unknown + " (expected: grid, storm, walk)");
        });
    }
}
