package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.loadtest.list.Lists;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.run.Isolation;
import dev.ligeiro.infra.loadtest.run.LoadOptions;
import dev.ligeiro.infra.loadtest.run.RunScenarios;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.transaction.Codes;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The load test as a command. Exit code 0: every audit passed; 1: an audit failed; 2: it could not be run. */
@Command(
        name = "infra/loadtest/run",
        resourceBundle = "dev.ligeiro.infra.loadtest.LoadOptions",
        subcommands = {Isolation.class, Lists.class},
        sortOptions = false,
        usageHelpWidth = 120)
public final class LoadTest implements Callable<Integer> {

    private static final int CANNOT_RUN = 2;

    private final Path root;
    private final List<String> arguments;

    @Mixin
    private final LoadOptions options = new LoadOptions();

    private LoadTest(Path root, List<String> arguments) {
        this.root = root;
        this.arguments = arguments;
    }

    /** {@code infra/loadtest/run} sets the property {@code ligeiro.root} to the checkout. */
    public static void main(String... arguments) {
        System.exit(run(Path.of(System.getProperty("ligeiro.root", "")).toAbsolutePath(), arguments));
    }

    /** Returns the exit code. */
    public static int run(Path root, String... arguments) {
        return commandLine(root, arguments).execute(arguments);
    }

    public static CommandLine commandLine(Path root, String... arguments) {
        LoadTest test = new LoadTest(root, List.of(arguments));
        return new CommandLine(test)
                .registerConverter(Scenario.class, code -> Codes.get(Scenario.class, code))
                .setExecutionExceptionHandler(LoadTest::report);
    }

    public LoadOptions options() {
        return options;
    }

    @Override
    public Integer call() {
        return new RunScenarios(root, arguments, options).call();
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
