package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.report.Report;
import dev.ligeiro.infra.loadtest.report.Report.ScenarioResult;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.Environment;
import dev.ligeiro.infra.loadtest.system.Role;
import dev.ligeiro.infra.loadtest.system.TargetSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The load test as a command. Exit code 0: every audit passed; 1: an audit failed; 2: it could not be run. */
@Command(
        name = "infra/loadtest/run",
        resourceBundle = "dev.ligeiro.infra.loadtest.Options",
        subcommands = {
            Isolation.class,
            Drain.class,
            DueRows.class,
            FeedReaders.class,
            CheckoutPages.class,
            Overload.class,
            Abuse.class,
            Scale.class,
            Lists.class
        },
        sortOptions = false,
        usageHelpWidth = 120)
public final class LoadTest implements Callable<Integer> {

    static final int AUDIT_FAILED = 1;
    private static final int CANNOT_RUN = 2;

    private final Path root;
    private final Path target;
    private final List<String> arguments;

    @Mixin
    private final Options options = new Options();

    private LoadTest(Path root, List<String> arguments) {
        this.root = root;
        this.target = root.resolve("infra/loadtest/target");
        this.arguments = arguments;
    }

    /** {@code infra/loadtest/run} sets the property {@code ligeiro.root} to the checkout. */
    public static void main(String... arguments) {
        System.exit(run(Path.of(System.getProperty("ligeiro.root", "")).toAbsolutePath(), arguments));
    }

    /** Returns the exit code. */
    static int run(Path root, String... arguments) {
        return commandLine(root, arguments).execute(arguments);
    }

    static CommandLine commandLine(Path root, String... arguments) {
        LoadTest test = new LoadTest(root, List.of(arguments));
        return new CommandLine(test)
                .registerConverter(Scenario.class, Scenario::fromCode)
                .registerConverter(Role.class, Role::fromCode)
                .setExecutionExceptionHandler(LoadTest::report);
    }

    /** Tells the person at the terminal about the progress. Its figures are not audited yet. */
    static void say(String format, Object... values) {
        System.out.println(
                LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + String.format(Locale.ROOT, format, values));
    }

    Options options() {
        return options;
    }

    @Override
    public Integer call() {
        options.requireValid(arguments);
        if (options.figures != null) {
            new PublishedFigures(root).publish(options.figures);
            return 0;
        }
        try (TargetSystem system = system()) {
            Report report = run(system);
            write(report);
            return report.valid() ? 0 : AUDIT_FAILED;
        }
    }

    private TargetSystem system() {
        Path ownHome = target.resolve("home-" + ProcessHandle.current().pid());
        Path home = Objects.requireNonNullElse(options.home, ownHome).toAbsolutePath();
        if (options.attach) {
            return TargetSystem.attach(home);
        }
        say("starting the system in %s", home);
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
            say("storing %d transactions", options.stored);
            context.stored().addPast(context.sample(), options.stored);
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

    private static int report(Exception exception, CommandLine line, CommandLine.ParseResult parsed) {
        if (exception instanceof CannotRunException
                || exception instanceof ApiException
                || exception instanceof IllegalArgumentException) {
            line.getErr().println("loadtest: " + exception.getMessage());
        } else {
            exception.printStackTrace(line.getErr());
        }
        return CANNOT_RUN;
    }
}
