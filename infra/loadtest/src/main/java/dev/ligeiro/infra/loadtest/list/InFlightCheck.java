package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.loadtest.list.fill.Fill;
import dev.ligeiro.infra.loadtest.merchant.Abuser;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.Waits;
import dev.ligeiro.transaction.Status;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Compares totals while statuses change: the total of a list by status of some past days may differ from MongoDB's counts before and after
 * it by at most the changes that were under way meanwhile.
 */
final class InFlightCheck implements Abuser {

    private static final Duration END_MAX = Duration.ofSeconds(40);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Status[] STATUSES = {Status.PENDING, Status.PAID, Status.EXPIRED, Status.REFUND};

    private final ListClient client;
    private final StoredRows rows;
    private final Fill fill;
    private final LongSupplier changes;
    private final LongSupplier lag;
    private final RunFaults faults;
    private final AtomicInteger compared = new AtomicInteger();
    private final Thread thread = new Thread(this::compare, "in-flight-check");
    private volatile boolean closed;

    /**
     * @param changes how many have begun
     * @param lag the commands that are not processed
     */
    InFlightCheck(
            ListClient client, StoredRows rows, Fill fill, LongSupplier changes, LongSupplier lag, RunFaults faults) {
        this.client = client;
        this.rows = rows;
        this.fill = fill;
        this.changes = changes;
        this.lag = lag;
        this.faults = faults;
        thread.setDaemon(true);
        thread.start();
    }

    private void compare() {
        while (!closed) {
            try {
                compareOne(ThreadLocalRandom.current());
            } catch (CannotRunException noLag) {
                // Kafka's group rebalances after a kill: the lag is not known for a moment
                Waits.until(System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
            }
        }
    }

    private void compareOne(ThreadLocalRandom random) {
        LocalDate first = LocalDate.ofInstant(fill.from(), Fill.ZONE).plusDays(random.nextInt(fill.days()));
        LocalDate last = first.plusDays(random.nextInt(3));
        Status status = STATUSES[random.nextInt(STATUSES.length)];
        ListFilter filter = ListFilter.status(status).and(ListFilter.days("days", first, last));
        long begunBefore = changes.getAsLong();
        long waiting = lag.getAsLong();
        long before = rows.count(fill.tenant(), status, first, last);
        Optional<ListClient.Got> got = client.get(filter.path(1));
        long after = rows.count(fill.tenant(), status, first, last);
        long underWay = waiting + changes.getAsLong() - begunBefore + StatusChanges.THREADS;
        got.ifPresent(answer -> {
            long total = answer.page().total();
            compared.incrementAndGet();
            if (total < Math.min(before, after) - underWay || total > Math.max(before, after) + underWay) {
                faults.add(
                        "total that is off by more than what is under way",
                        "%s: %d (expected: %d to %d, %d under way)"
                                .formatted(status.code(), total, before, after, underWay));
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        Waits.until(() -> !thread.isAlive(), POLL, END_MAX);
    }

    @Override
    public String toString() {
        return compared + " totals compared while transactions changed";
    }
}
