package dev.ligeiro.infra.loadtest.scale;

import dev.ligeiro.infra.loadtest.merchant.Audit;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.run.AttachedRun;
import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Scales one service after the other up and down again under load. The audit requires that every response is stored and announced once,
 * that no delivery is attempted twice, and that no call fails.
 */
@Command(
        name = "scale",
        resourceBundle = "dev.ligeiro.infra.loadtest.Scale",
        description = "Is anything lost or doubled when processes of a service are added and stopped?")
public final class Scale implements Callable<Integer> {

    @Mixin
    private final AttachedRun.Options options = new AttachedRun.Options();

    @Option(
            names = "--service",
            split = ",",
            paramLabel = "LIST",
            hideParamSyntax = true,
            defaultValue = "processor,webhook-dispatcher,gateway")
    private List<Role> services = List.of();

    @Option(names = "--processes", paramLabel = "N", defaultValue = "3")
    private int processes;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "200")
    private double rate;

    @Option(names = "--warm", paramLabel = "S", defaultValue = "60")
    private int warmSeconds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "600")
    private int seconds;

    @Option(names = "--figure", paramLabel = "FILE")
    private @Nullable Path figure;

    @Override
    public Integer call() {
        try (AttachedRun run = AttachedRun.of(options)) {
            LoadTestContext context = run.context();
            requireRoom(context);
            List<ScalePhase> phases = new ArrayList<>();
            try (ScaledLoad load = new ScaledLoad(run, rate, warmSeconds)) {
                load.awaitWarm();
                for (Role service : services) {
                    phases.addAll(new ScaleService(load, service, processes).run((double) seconds / services.size()));
                }
                Audit.Result audit = load.audit();
                context.requireSameProcesses();
                print(load, phases, audit);
            }
            return context.exitCode();
        }
    }

    private void requireRoom(LoadTestContext context) {
        int partitions = context.lag().partitions();
        if (partitions < processes) {
            throw new CannotRunException(
                    "the topics have %d partitions (expected: at least %d, else some processes get none): start the system with LIGEIRO_KAFKA_PARTITIONS=%d"
                            .formatted(partitions, processes, processes));
        }
        for (Role service : services) {
            int running =
                    context.processes().pids().getOrDefault(service, List.of()).size();
            if (!service.isService() || running < 1 || running >= processes) {
                throw new IllegalArgumentException("--service: %s has %d processes (expected: 1 to %d, of a service)"
                        .formatted(service.code(), running, processes - 1));
            }
        }
    }

    private void print(ScaledLoad load, List<ScalePhase> phases, Audit.Result audit) {
        System.out.printf(
                "%n%s%n",
                Tables.ofRows(phases.stream()
                        .map(phase -> phase.row(load.responses(), load.webhooks()))
                        .toList()));
        Progress.say(
                "%d calls, %d answered by 201, %d stored, %d webhooks, %d failed, %d doubled, %d of them at once",
                audit.calls(),
                audit.created(),
                audit.stored(),
                audit.webhooks(),
                load.load().failures(),
                load.doubled(),
                load.attempts().atOnce());
        if (figure != null) {
            write(figure, new ScaleFigure(phases).svg(load.responses(), load.webhooks()));
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            System.out.println("written   " + Files.writeString(file, text));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written", e);
        }
    }
}
