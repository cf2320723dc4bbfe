package dev.ligeiro.infra.loadtest.run;

import dev.ligeiro.infra.loadtest.merchant.MerchantHistory;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.report.PublishedFigures;
import dev.ligeiro.infra.loadtest.report.Report;
import dev.ligeiro.infra.loadtest.report.Report.ScenarioResult;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.system.Environment;
import dev.ligeiro.infra.loadtest.system.TargetSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The load test without a command: runs the scenarios, and writes their report. */
public final class RunScenarios {

    /** The days before today in which the transactions of {@code --stored} were created. */
    private static final int STORED_DAYS = 30;

    private final Path root;
    private final Path target;
    private final List<String> arguments;
    private final LoadOptions options;

    /**
     * @param root the folder of the checkout
     * @param arguments of the command line, of which the options were read
     */
    public RunScenarios(Path root, List<String> arguments, LoadOptions options) {
        this.root = root;
        this.target = root.resolve("infra/loadtest/target");
        this.arguments = arguments;
        this.options = options;
    }

    /** Returns the exit code. */
    public int call() {
        options.requireValid(arguments);
        if (options.figures != null) {
            new PublishedFigures(root).publish(options.figures);
            return 0;
        }
        try (TargetSystem system = system()) {
            Report report = run(system);
            write(report);
            return report.valid() ? 0 : LoadTestContext.AUDIT_FAILED;
        }
    }

    private TargetSystem system() {
        Path ownHome = target.resolve("home-" + ProcessHandle.current().pid());
        Path home = Objects.requireNonNullElse(options.home, ownHome).toAbsolutePath();
        if (options.attach) {
            return TargetSystem.attach(home);
        }
        Progress.say("starting the system in %s", home);
        Path javaHome = Objects.requireNonNullElse(options.javaHome, Path.of(System.getProperty("java.home")));
        return TargetSystem.start(root, home, javaHome, options.runOptions);
    }

    private Report run(TargetSystem system) {
        String startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        List<Long> startups = options.measuresStartup() ? startups(system) : List.of();
        try (LoadTestContext context = LoadTestContext.of(system)) {
            Environment environment = Environment.of(
                    context.processes(), root, system.home(), context.stored().version());
            List<ScenarioResult> scenarios = run(context);
            boolean valid =
                    scenarios.stream().allMatch(scenario -> scenario.audit().passed());
            String command = "infra/loadtest/run " + String.join(" ", arguments);
            return new Report(startedAt, command, valid, environment, scenarios, startups);
        }
    }

    private static List<Long> startups(TargetSystem system) {
        try (LoadTestContext context = LoadTestContext.of(system)) {
            return new MeasureStartup(context).run();
        }
    }

    /** Stops after the first scenario with a fault. */
    private List<ScenarioResult> run(LoadTestContext context) {
        if (options.stored > 0) {
            Progress.say("storing %d transactions", options.stored);
            MerchantHistory past = MerchantHistory.untilToday(context.sample(), STORED_DAYS, options.stored);
            context.stored().add(past::get, options.stored, added -> {});
        }
        List<ScenarioResult> results = new ArrayList<>();
        for (Scenario scenario : options.scenarios) {
            if (scenario != Scenario.STARTUP && context.faults().count() == 0) {
                results.add(new RunScenario(context, options, scenario).run());
            }
        }
        return results;
    }

    private void write(Report report) {
        Path out = Objects.requireNonNullElse(options.out, target.resolve("report"));
        System.out.printf("%n%s%n", Tables.of(report));
        try {
            Files.createDirectories(out);
            System.out.println("written   " + Files.writeString(out.resolve("loadtest.json"), report.json()));
        } catch (IOException e) {
            throw new UncheckedIOException("the report cannot be written to " + out, e);
        }
    }
}
