package dev.ligeiro.infra.loadtest.webhook;

import dev.ligeiro.infra.loadtest.merchant.Answer;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.MeasuredWindow;
import dev.ligeiro.infra.loadtest.system.Role;
import dev.ligeiro.infra.loadtest.system.Waits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures delivered webhooks a second: stops the dispatchers (SIGSTOP), fills Kafka with events, and continues the dispatchers. */
@Command(
        name = "drain",
        resourceBundle = "dev.ligeiro.infra.loadtest.Webhooks",
        description = "How many webhooks a second are delivered from a backlog of events in Kafka?")
public final class Drain implements Callable<Integer> {

    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration LAG_POLL = Duration.ofSeconds(2);
    private static final Duration STEP_MAX = Duration.ofMinutes(20);
    private static final int PROGRESS_SECONDS = 5;

    @Mixin
    private final WebhookRun.Options options = new WebhookRun.Options();

    @Option(names = "--events", paramLabel = "N", defaultValue = "100000")
    private int events;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "2")
    private int rounds;

    @Option(names = "--slow")
    private boolean slow;

    @Override
    public Integer call() {
        try (WebhookRun run = WebhookRun.of(options, (merchant, slot) -> !slow || merchant + slot > 0, Answer.SLOW)) {
            // also after Ctrl-C the dispatchers must not stay stopped
            Runtime.getRuntime().addShutdownHook(new Thread(() -> signal("CONT", run)));
            for (int round = 1; round <= rounds; round++) {
                long before = run.arrivals().measured();
                fill(run);
                Progress.say("round %d: %s", round, drain(run, before));
            }
            return run.audit();
        }
    }

    /** Returns when the events are in Kafka: the processors have nothing left to do. */
    private void fill(WebhookRun run) {
        signal("STOP", run);
        try {
            long now = System.nanoTime();
            Load load = Load.closed(Scenario.PAY, Integer.MAX_VALUE, now, now + STEP_MAX.toNanos());
            int target = run.journal().size() + events;
            run.generator().start(load);
            require(Waits.until(() -> run.journal().size() >= target, POLL, STEP_MAX), "the events were not created");
            load.cancel();
            require(Waits.until(load::isAnswered, POLL, STEP_MAX), "calls are not answered");
            List<Long> lags = new ArrayList<>(List.of(-1L));
            Waits.until(
                    () -> {
                        lags.add(run.context().lag().records());
                        return lags.get(lags.size() - 1).equals(lags.get(lags.size() - 2));
                    },
                    LAG_POLL,
                    STEP_MAX);
            Progress.say("%d events wait in Kafka", lags.get(lags.size() - 1));
        } finally {
            signal("CONT", run);
        }
    }

    /**
     * The window is from the first webhook to the last one of the endpoints that answer at once. CPU is for each webhook, those to the
     * slow endpoint included.
     */
    private static String drain(WebhookRun run, long before) {
        long continuedAt = System.nanoTime();
        require(Waits.until(() -> run.arrivals().measured() > before, POLL, STEP_MAX), "no webhook arrived");
        Progress.say("first webhook after %d ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - continuedAt));
        MeasuredWindow window = new MeasuredWindow(
                run.context().processes(),
                run.context().system().env().adminToken(),
                run.context().lag(),
                run.arrivals()::count);
        long measuredBefore = run.arrivals().measured();
        long progressAt = System.nanoTime();
        while (!run.isComplete()) {
            require(System.nanoTime() - continuedAt < STEP_MAX.toNanos(), "webhooks do not arrive");
            Waits.until(System.nanoTime() + POLL.toNanos());
            if (System.nanoTime() > progressAt + TimeUnit.SECONDS.toNanos(PROGRESS_SECONDS)) {
                progressAt = System.nanoTime();
                Progress.say(
                        "  %.0f webhooks/s, %d of %d",
                        window.rate(), run.arrivals().measured(), run.expected());
            }
        }
        MeasuredWindow.Cost cost = window.close();
        run.context().requireSameProcesses();
        double fast = (run.arrivals().measured() - measuredBefore) / cost.seconds();
        return "%.0f webhooks/s, %.0f in all, for %.1f s%n%n%s"
                .formatted(fast, cost.rate(), cost.seconds(), Tables.of(cost));
    }

    private static void signal(String name, WebhookRun run) {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        run.context()
                .processes()
                .pids()
                .getOrDefault(Role.WEBHOOK_DISPATCHER, List.of())
                .forEach(pid -> command.add(Long.toString(pid)));
        try {
            require(
                    new ProcessBuilder(command)
                                    .inheritIO()
                                    .start()
                                    .onExit()
                                    .join()
                                    .exitValue()
                            == 0,
                    "no dispatcher");
        } catch (IOException e) {
            throw new CannotRunException("kill cannot be run: " + e, e);
        }
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new CannotRunException(message);
        }
    }
}
