package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.transaction.Codes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The load test as a command: runs the scenarios and writes their report. Exit code 0: every audit passed; 1: an audit failed; 2: it could
 * not be run.
 */
@Command(
        name = "infra/loadtest/run",
        resourceBundle = "dev.ligeiro.infra.loadtest.LoadOptions",
        sortOptions = false,
        usageHelpWidth = 120)
final class LoadTest implements Callable<Integer> {

    private static final int AUDIT_FAILED = 1;
    private static final int CANNOT_RUN = 2;

    private final Path root;
    private final Path target;
    private final List<String> arguments;

    @Mixin
    private final LoadOptions options = new LoadOptions();

    private LoadTest(Path root, List<String> arguments) {
        this.root = root;
        this.target = root.resolve("infra/loadtest/target");
        this.arguments = arguments;
    }

    /** {@code infra/loadtest/run} sets the property {@code ligeiro.root} to the checkout. */
    public static void main(String... arguments) {
        Path root = Path.of(System.getProperty("ligeiro.root", "")).toAbsolutePath();
        System.exit(new CommandLine(new LoadTest(root, List.of(arguments)))
                .registerConverter(Scenario.class, code -> Codes.get(Scenario.class, code))
                .setExecutionExceptionHandler(LoadTest::explain)
                .execute(arguments));
    }

    private static int explain(Exception exception, CommandLine line, CommandLine.ParseResult parsed) {
        if (exception instanceof CannotRunException
                || exception instanceof ApiException
                || exception instanceof IllegalArgumentException) {
            line.getErr().println("loadtest: " + exception.getMessage());
        } else {
            exception.printStackTrace(line.getErr());
        }
        return CANNOT_RUN;
    }

    @Override
    public Integer call() {
        options.requireValid(arguments);
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
        Terminal.say("starting the system in %s", home);
        return TargetSystem.start(root, home, options.javaHome, options.runOptions);
    }

    /** Stops after the first scenario with a fault: later figures would not count. */
    private Report run(TargetSystem system) {
        String startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        try (LoadTestContext context = LoadTestContext.of(system)) {
            // infra/loadtest/run says what the machine is
            String environment = "%s; JDK %s, mongod %s"
                    .formatted(
                            System.getProperty("ligeiro.machine", "unknown"),
                            context.processes().javaHome().getFileName(),
                            context.stored().version());
            if (options.stored > 0) {
                Terminal.say("storing %d transactions", options.stored);
                context.stored().add(new PastTransactions(context.sample(), options.stored));
            }
            List<Report.ScenarioResult> results = new ArrayList<>();
            for (Scenario scenario : options.scenarios) {
                if (context.faults().count() == 0) {
                    results.add(new RunScenario(context, options, scenario).run());
                }
            }
            String command = "infra/loadtest/run " + String.join(" ", arguments);
            return new Report(startedAt, command, environment, results);
        }
    }

    private void write(Report report) {
        Path out = Objects.requireNonNullElse(options.out, target.resolve("report"));
        System.out.printf("%n%s%n", report.text());
        try {
            Files.createDirectories(out);
            System.out.println("written   " + Files.writeString(out.resolve("loadtest.json"), report.json()));
        } catch (IOException e) {
            throw new UncheckedIOException("the report cannot be written to " + out, e);
        }
    }
}
