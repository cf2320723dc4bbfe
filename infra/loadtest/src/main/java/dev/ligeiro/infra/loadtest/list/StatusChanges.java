package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.client.JsonAnswer;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.list.fill.Fill;
import dev.ligeiro.infra.loadtest.merchant.Abuser;
import dev.ligeiro.infra.loadtest.merchant.Outcomes;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.system.Waits;
import dev.ligeiro.transaction.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Changes the status of transactions of all days by the API, at a rate: cancels, pays and expires pending ones, refunds paid ones, and
 * creates some whose amount makes the simulated rail pay, deny or expire them at once.
 */
final class StatusChanges implements Abuser {

    static final int THREADS = 4;
    private static final Duration END_MAX = Duration.ofSeconds(40);
    private static final Duration POLL = Duration.ofMillis(20);
    /** 409: another change was first, or a cashout is to be refunded. 429, 503: without effect, or not known. */
    private static final Set<Integer> EXPECTED = Set.of(200, 201, 202, 409, 429, 503);

    private static final List<String> AMOUNTS = List.of("10.11", "10.12", "10.15");

    private final MerchantApi merchant;
    private final StoredRows rows;
    private final Fill fill;
    private final RunFaults faults;
    private final long intervalNanos;
    private final Outcomes outcomes = new Outcomes();
    private final AtomicLong begun = new AtomicLong();
    private final List<Thread> threads;
    private volatile boolean closed;

    /** @param rate changes a second */
    StatusChanges(MerchantApi merchant, StoredRows rows, Fill fill, RunFaults faults, double rate) {
        this.merchant = merchant;
        this.rows = rows;
        this.fill = fill;
        this.faults = faults;
        this.intervalNanos = (long) (TimeUnit.SECONDS.toNanos(THREADS) / rate);
        this.threads = Stream.generate(() -> new Thread(this::change, "status-change"))
                .limit(THREADS)
                .toList();
        threads.forEach(thread -> thread.setDaemon(true));
        threads.forEach(Thread::start);
    }

    private void change() {
        long next = System.nanoTime();
        while (!closed) {
            begun.incrementAndGet();
            changeOne(ThreadLocalRandom.current());
            // after a slow answer it does not catch up
            next = Math.max(next + intervalNanos, System.nanoTime());
            Waits.until(next);
        }
    }

    private void changeOne(ThreadLocalRandom random) {
        switch (random.nextInt(6)) {
            case 0 -> post("cancel", Status.PENDING, random);
            case 1 -> post("pay", Status.PENDING, random);
            case 2 -> post("expire", Status.PENDING, random);
            case 3, 4 -> post("refund", Status.PAID, random);
            default -> create(AMOUNTS.get(random.nextInt(AMOUNTS.size())));
        }
    }

    /** Of a transaction of any day. */
    private void post(String action, Status status, ThreadLocalRandom random) {
        long spanMillis = Duration.between(fill.from(), Instant.now()).toMillis();
        rows.first(fill.tenant(), status, fill.from().plusMillis(random.nextLong(spanMillis)))
                .ifPresent(id -> count(action, () -> answer(action, id)));
    }

    private JsonAnswer answer(String action, UUID id) {
        String path = MerchantApi.transactionPath(id.toString()) + "/" + action;
        return switch (action) {
            case "refund" -> merchant.api().post(path, Map.of());
            case "cancel" -> merchant.api().post(path);
            default -> merchant.api().post(MerchantApi.sandboxPath(id.toString(), action));
        };
    }

    private void create(String amount) {
        count("create", () -> merchant.api().post(MerchantApi.CASHIN_PATH, merchant.cashin(amount)));
    }

    private void count(String action, Supplier<JsonAnswer> call) {
        try {
            JsonAnswer answer = call.get();
            outcomes.count(action + " " + answer.status());
            if (!EXPECTED.contains(answer.status())) {
                faults.add("change with a wrong answer", action + ": " + answer.status() + " " + answer.body());
            }
        } catch (ApiException none) {
            outcomes.count(action + " without an answer");
        }
    }

    long begun() {
        return begun.get();
    }

    /** Returns when no change is under way. */
    @Override
    public void close() {
        closed = true;
        Waits.until(() -> threads.stream().noneMatch(Thread::isAlive), POLL, END_MAX);
    }

    @Override
    public String toString() {
        return begun + " changes were answered " + outcomes;
    }
}
