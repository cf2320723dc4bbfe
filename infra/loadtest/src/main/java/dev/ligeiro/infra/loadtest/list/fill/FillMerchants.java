package dev.ligeiro.infra.loadtest.list.fill;

import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.infra.loadtest.system.Role;
import dev.ligeiro.infra.loadtest.system.StoredTransactions;
import dev.ligeiro.infra.loadtest.system.Waits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** Stores the past transactions of merchants that no earlier run has filled, and waits until mongod has written them. */
public final class FillMerchants {

    /** From here on, building the search index again costs less than its inserts. */
    private static final long LARGE = 200_000;

    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Duration CALM_POLL = Duration.ofSeconds(2);
    private static final Duration CALM_MAX = Duration.ofMinutes(5);
    private static final double CALM_CORES = 0.1;

    private final LoadTestContext context;
    private final FillStore fills;
    private long cpuMicros;

    public FillMerchants(LoadTestContext context, FillStore fills) {
        this.context = context;
        this.fills = fills;
    }

    public void store(List<FilledMerchant> merchants) {
        List<FilledMerchant> missing =
                merchants.stream().filter(merchant -> !merchant.isStored()).toList();
        long count =
                missing.stream().mapToLong(merchant -> merchant.fill().count()).sum();
        if (count >= LARGE) {
            storeWithoutSearchIndex(missing);
        } else {
            missing.forEach(this::store);
        }
        if (count > 0) {
            waitUntilCalm();
        }
    }

    private void storeWithoutSearchIndex(List<FilledMerchant> missing) {
        fills.dropSearchIndex();
        try {
            missing.forEach(this::store);
        } finally {
            long startedAt = System.nanoTime();
            Progress.say("building the search index");
            fills.buildSearchIndex();
            Progress.say("  built in %.0f s", (System.nanoTime() - startedAt) / 1e9);
        }
    }

    private void store(FilledMerchant merchant) {
        Fill fill = merchant.fill();
        long startedAt = System.nanoTime();
        Progress.say("storing %d transactions of the merchant %s, %s", fill.count(), fill.name(), fill.merchantId());
        fills.add(fill, merchant.sample(), progress(startedAt));
        Progress.say("  stored in %.0f s", (System.nanoTime() - startedAt) / 1e9);
    }

    private static LongConsumer progress(long startedAt) {
        long[] saidAt = {startedAt};
        return count -> {
            long now = System.nanoTime();
            if (now - saidAt[0] > PROGRESS_NANOS) {
                saidAt[0] = now;
                Progress.say("  %d stored, %.0f/s", count, count * 1e9 / (now - startedAt));
            }
        };
    }

    private void waitUntilCalm() {
        StoredTransactions stored = context.stored();
        stored.checkpoint();
        cpuMicros = mongodMicros();
        Waits.until(System.nanoTime() + CALM_POLL.toNanos());
        Waits.until(this::isCalm, CALM_POLL, CALM_MAX);
        Progress.say("mongod is calm");
    }

    /** Whether mongod used little CPU since the last call. */
    private boolean isCalm() {
        long now = mongodMicros();
        long used = now - cpuMicros;
        cpuMicros = now;
        return used < CALM_CORES * CALM_POLL.toNanos() / 1000;
    }

    private long mongodMicros() {
        return context.processes().cpuMicros().getOrDefault(Role.MONGOD, 0L);
    }
}
