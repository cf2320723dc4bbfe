package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.loadtest.list.fill.FilledMerchant;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.report.StepResult;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.run.AttachedRun;
import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.infra.loadtest.run.Measurement;
import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.infra.loadtest.system.Waits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Creates transactions and changes old ones while readers ask for lists, and kills the processors meanwhile. Once everything is processed,
 * the totals of many filters must equal a brute count.
 */
final class ListStorm {

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration QUIET_MAX = Duration.ofMinutes(5);
    private static final int READ_FILTERS = 40;
    private static final int READ_PAGES = 20;

    private final AttachedRun run;
    private final FilledMerchant merchant;
    private final ListOptions options;
    private final LoadTestContext context;
    private final Filters filters;
    private final StoredRows rows;
    private final SplittableRandom random = new SplittableRandom();
    private final Map<String, Latency> latencies = new LinkedHashMap<>();
    private final long startedAt = System.currentTimeMillis();

    ListStorm(AttachedRun run, FilledMerchant merchant, ListOptions options) {
        this.run = run;
        this.merchant = merchant;
        this.options = options;
        this.context = run.context();
        this.filters = new Filters(merchant.fill(), merchant.sample());
        this.rows = new StoredRows(context.stored().database());
    }

    /** Without a warm-up there is only the window with readers. */
    void run() {
        try (Generator generator = run.generator(List.of(merchant.api()), AttachedRun.CONNECTIONS);
                StatusChanges changes =
                        new StatusChanges(merchant.api(), rows, merchant.fill(), context.faults(), options.changes)) {
            Measurement measurement = run.measurement(generator);
            List<ListFilter> read = filters.random(random, READ_FILTERS);
            if (options.warmSeconds > 0) {
                warmUp(measurement, read);
                measure(measurement, "without readers");
            }
            beside(measurement, changes, read);
            if (options.warmSeconds > 0) {
                measure(measurement, "without readers again");
            }
            if (options.killSeconds > 0) {
                kill(generator, changes);
            }
            Progress.say("  %s", changes);
        }
        System.out.printf("%n%s%n", Tables.of(latencies));
        awaitQuiet();
        compare();
    }

    private void measure(Measurement measurement, String label) {
        StepResult result = measurement.open(label, Scenario.CREATE, options.rate, 2, options.seconds);
        latencies.put(label + ": creates", result.responses());
        System.out.printf("%n%s%n%s%n", label, Tables.of(result.cost()));
    }

    /** Creates alone, then beside readers: the first lists make the JIT compilers work, and count what they need. */
    private void warmUp(Measurement measurement, List<ListFilter> read) {
        measurement.open("warm-up", Scenario.CREATE, options.rate, options.warmSeconds, 1);
        try (ListReaders readers = readers(read)) {
            measurement.open("warm-up beside readers", Scenario.CREATE, options.rate, options.warmSeconds, 1);
            Progress.say("  %s", readers);
        }
    }

    private ListReaders readers(List<ListFilter> read) {
        return new ListReaders(
                options.readers + " readers",
                options.readers,
                merchant.api().api(),
                () -> page(read),
                TimeUnit.SECONDS::toNanos);
    }

    private static String page(List<ListFilter> read) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return read.get(random.nextInt(read.size())).path(1 + random.nextInt(READ_PAGES));
    }

    private void beside(Measurement measurement, StatusChanges changes, List<ListFilter> read) {
        try (ListReaders readers = readers(read);
                InFlightCheck check = check(changes)) {
            measure(measurement, options.readers + " list readers");
            latencies.put(options.readers + " list readers: pages", readers.latency());
            Progress.say("  %s", readers);
            Progress.say("  %s", check);
        }
    }

    private InFlightCheck check(StatusChanges changes) {
        return new InFlightCheck(
                client(), rows, merchant.fill(), changes::begun, context.lag()::records, context.faults());
    }

    private ListClient client() {
        return new ListClient(merchant.api().api(), Duration.ofSeconds(options.waitSeconds));
    }

    /** Every few seconds all processors; {@code infra/run} starts them again. */
    private void kill(Generator generator, StatusChanges changes) {
        Progress.say("killing the processors every %d s", options.killEvery);
        long now = System.nanoTime();
        long to = now + TimeUnit.SECONDS.toNanos(options.killSeconds);
        Load load = Load.open(Scenario.CREATE, options.rate, now, now, to);
        generator.start(load);
        int killed = 0;
        try (InFlightCheck check = check(changes)) {
            for (int second = options.killEvery; second <= options.killSeconds; second += options.killEvery) {
                Waits.until(now + TimeUnit.SECONDS.toNanos(second));
                for (long pid : context.system().env().pids().processor()) {
                    killed += ProcessHandle.of(pid)
                                    .map(ProcessHandle::destroyForcibly)
                                    .orElse(false)
                            ? 1
                            : 0;
                }
            }
            Waits.until(to);
            Progress.say("  %s", check);
        }
        if (!Waits.until(load::isAnswered, POLL, QUIET_MAX) || killed == 0) {
            context.faults().add("storm without kills or with unanswered creates", killed + " kills, " + load);
        }
        Progress.say("  %d processors killed, %s", killed, load);
    }

    /** Until every command is processed and no call to the rail is open. */
    private void awaitQuiet() {
        Progress.say("waiting until everything is processed");
        boolean quiet = Waits.until(
                () -> context.lag().records() == 0
                        && context.stored().countUnaccepted(merchant.fill().tenant(), startedAt) == 0
                        && rows.unsettled(merchant.fill().tenant()) == 0,
                POLL,
                QUIET_MAX);
        if (!quiet) {
            context.faults().add("storm that is not processed", "after " + QUIET_MAX.toMinutes() + " minutes");
        }
    }

    private void compare() {
        List<ListFilter> asked = filters.random(random, options.filters);
        Progress.say("comparing the totals of %d filters", asked.size());
        ListTotals totals = new ListTotals(client(), context.faults());
        totals.ask(asked);
        totals.compare(rows, merchant.fill().tenant());
    }
}
