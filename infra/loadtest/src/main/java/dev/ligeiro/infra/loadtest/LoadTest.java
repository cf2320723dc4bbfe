package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.loadtest.observe.FsyncProbe;
import dev.ligeiro.infra.loadtest.observe.Machine;
import dev.ligeiro.infra.loadtest.observe.Versions;
import dev.ligeiro.infra.loadtest.report.LatencyPlot;
import dev.ligeiro.infra.loadtest.report.RunResult;
import dev.ligeiro.infra.loadtest.report.ScenarioResult;
import dev.ligeiro.infra.loadtest.report.Table;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.RunningSystem;
import dev.ligeiro.infra.loadtest.system.StartedSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Runs the load test as the command line asks. Exit code 0: every audit passed; 1: one failed; 2: it could not be run. */
public final class LoadTest {

    private static final int AUDIT_FAILED = 1;
    private static final int CANNOT_RUN = 2;
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Options options;
    private final Path root;
    private final String command;

    LoadTest(Options options, Path root, String command) {
        this.options = options;
        this.root = root;
        this.command = command;
    }

    /** {@code infra/loadtest/run} says by the property {@code ligeiro.root} where the checkout is. */
    public static void main(String... arguments) {
        Path root = Path.of(System.getProperty("ligeiro.root", "")).toAbsolutePath();
        int exitCode = CANNOT_RUN;
        try {
            Options options = CommandLine.parse(defaultOut(root), arguments);
            String command = "infra/loadtest/run " + String.join(" ", arguments);
            RunResult result = new LoadTest(options, root, command.strip()).run();
            exitCode = result.valid() ? 0 : AUDIT_FAILED;
        } catch (CannotRunException | IllegalArgumentException e) {
            System.err.println("loadtest: " + e.getMessage());
        } catch (RuntimeException | LinkageError bug) {
            bug.printStackTrace();
        }
        System.exit(exitCode);
    }

    RunResult run() {
        try (RunningSystem system = system()) {
            RunResult result = run(system);
            write(result);
            return result;
        }
    }

    private RunResult run(RunningSystem system) {
        Instant startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        FsyncProbe fsync = FsyncProbe.in(system.home());
        List<Long> startups = options.startups() == 0 ? List.of() : new MeasureStartup(system).run(options.startups());
        try (Bench bench = new Bench(system)) {
            Versions versions = Versions.of(bench.processes(), bench.stored().version(), root);
            List<ScenarioResult> scenarios = run(bench);
            boolean valid =
                    scenarios.stream().allMatch(scenario -> scenario.audit().passed());
            return new RunResult(
                    startedAt.toString(), command, valid, Machine.own(), versions, fsync, scenarios, startups);
        }
    }

    /** Up to the first that fails. */
    private List<ScenarioResult> run(Bench bench) {
        if (options.stored() > 0) {
            new StoreBefore(bench, options.stored()).run();
        }
        List<ScenarioResult> results = new ArrayList<>();
        for (Scenario scenario : options.scenarios()) {
            if (bench.faults().count() == 0) {
                results.add(new RunScenario(bench, options, scenario).run());
            }
        }
        return results;
    }

    private RunningSystem system() {
        if (options.attach()) {
            return RunningSystem.at(options.home().orElseThrow());
        }
        Path home = options.home()
                .orElseGet(() -> root.resolve(
                        "infra/loadtest/target/home-" + ProcessHandle.current().pid()));
        Progress.say("starting the system in %s", home);
        return StartedSystem.start(root, home, options.javaHome(), options.runOptions());
    }

    private void write(RunResult result) {
        System.out.println();
        System.out.println(Table.of(result));
        try {
            Files.createDirectories(options.out());
            Path json = Files.writeString(options.out().resolve("loadtest.json"), JSON.writeValueAsString(result));
            Path svg = Files.writeString(options.out().resolve("loadtest.svg"), LatencyPlot.svg(result));
            System.out.printf("%nwritten   %s%n          %s%n", json, svg);
        } catch (IOException e) {
            throw new UncheckedIOException("the report cannot be written to " + options.out(), e);
        }
    }

    private static Path defaultOut(Path root) {
        return root.resolve("infra/loadtest/target/report");
    }
}
