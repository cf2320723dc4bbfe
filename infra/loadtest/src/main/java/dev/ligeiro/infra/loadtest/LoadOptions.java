package dev.ligeiro.infra.loadtest;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of the command line, set by picocli. {@code LoadOptions.properties} describes each. */
final class LoadOptions {

    /** Before, a JVM on two cores uses three to five times the CPU that it needs later. */
    private static final int WARM_SECONDS_MIN = 35;

    private static final List<Double> PERCENTS = List.of(25.0, 50.0, 65.0, 80.0);

    @Option(names = "--scenario", split = ",", hideParamSyntax = true, paramLabel = "LIST", defaultValue = "create,pay")
    List<Scenario> scenarios = List.of();

    @Option(names = "--home", paramLabel = "DIR")
    @Nullable
    Path home;

    @Option(names = "--attach")
    boolean attach;

    @Option(names = "--java-home", paramLabel = "DIR")
    @Nullable
    Path javaHome;

    @Option(names = "--out", paramLabel = "DIR")
    @Nullable
    Path out;

    @Option(names = "--first", paramLabel = "S", defaultValue = "3")
    int firstSeconds;

    @Option(names = "--warm", paramLabel = "S", defaultValue = "35")
    int warmSeconds;

    @Option(names = "--steady-within", paramLabel = "S", defaultValue = "0")
    int steadyWithinSeconds;

    @Option(names = "--settle", paramLabel = "S", defaultValue = "20")
    int settleSeconds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "20")
    int windowSeconds;

    @Option(names = "--percent", split = ",", hideParamSyntax = true, paramLabel = "LIST")
    List<Double> percents = List.of();

    @Option(names = "--rate", split = ",", hideParamSyntax = true, paramLabel = "LIST")
    List<Double> rates = List.of();

    @Option(names = "--failing", paramLabel = "N", defaultValue = "0")
    int failing;

    @Option(names = "--connections", paramLabel = "N", defaultValue = "64")
    int connections;

    @Option(names = "--stored", paramLabel = "N", defaultValue = "0")
    long stored;

    @Option(names = "--help", usageHelp = true)
    boolean help;

    @Parameters(hidden = true)
    List<String> runOptions = List.of();

    boolean isCold() {
        return warmSeconds < WARM_SECONDS_MIN;
    }

    /** Parts of the peak to measure, after the peak. Empty: the peak is not measured either. */
    List<Double> percents() {
        return percents.isEmpty() && rates.isEmpty() ? PERCENTS : percents;
    }

    /**
     * @param arguments of the command line
     * @throws IllegalArgumentException naming the first invalid option
     */
    void requireValid(List<String> arguments) {
        int own = arguments.contains("--") ? arguments.indexOf("--") + 1 : arguments.size();
        require(
                runOptions.equals(arguments.subList(own, arguments.size())),
                String.join(" ", runOptions) + ": unknown; options for infra/run follow --");
        requireRange("--first", firstSeconds, 1, 600);
        requireRange("--warm", warmSeconds, 0, 600);
        requireRange("--steady-within", steadyWithinSeconds, 0, 3600);
        requireRange("--settle", settleSeconds, 0, 600);
        requireRange("--seconds", windowSeconds, 1, 600);
        requireRange("--failing", failing, 0, FailingMerchant.ENDPOINTS_MAX);
        requireRange("--connections", connections, 1, 10_000);
        requireRange("--stored", stored, 0, 100_000_000);
        require(rates.stream().allMatch(rate -> rate > 0), "--rate: " + rates + " (expected: > 0)");
        require(failing == 0 || !rates.isEmpty(), "--failing: no --rate given");
        require(!attach || home != null, "--attach: no --home given");
    }

    private static void requireRange(String option, long value, long min, long max) {
        require(value >= min && value <= max, "%s: %d (expected: %d to %d)".formatted(option, value, min, max));
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
