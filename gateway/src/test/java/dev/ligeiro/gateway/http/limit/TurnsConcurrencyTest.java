package dev.ligeiro.gateway.http.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.http.limit.Turns.Admission;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Eight threads send reads of three tenants; three reads run at once, and two of a tenant wait. */
class TurnsConcurrencyTest {

    private static final int THREADS = 8;
    private static final int READS_OF_A_THREAD = 250;
    private static final int TENANTS = 3;
    private static final int MAX = 3;
    private static final int WAITING_PER_TENANT_MAX = 2;

    private final Queue<Read> reads = new ConcurrentLinkedQueue<>();
    private final AtomicLong ticks = new AtomicLong();
    private final AtomicIntegerArray running = new AtomicIntegerArray(TENANTS);
    private final AtomicInteger runningInAll = new AtomicInteger();
    private final AtomicInteger mostOfATenant = new AtomicInteger();
    private final AtomicInteger mostInAll = new AtomicInteger();

    /** @param perTenantMax with 3 a tenant is at its limit only when all slots are taken, so no turn passes to another tenant */
    @ParameterizedTest
    @ValueSource(ints = {2, MAX})
    void limitsAndOrderHoldAndNoReadIsForgotten(int perTenantMax) {
        Turns<Read> turns = new Turns<>(perTenantMax, MAX, WAITING_PER_TENANT_MAX);

        inAllThreads(() -> arrive(turns));

        assertThat(mostInAll).hasValueLessThanOrEqualTo(MAX);
        assertThat(mostOfATenant).hasValueLessThanOrEqualTo(perTenantMax);
        assertThat(reads).hasSize(THREADS * READS_OF_A_THREAD).allSatisfy(read -> assertThat(read.starts)
                .hasValue(read.hasTurn() ? 1 : 0));
        assertThat(overtaken(perTenantMax)).isEmpty();
        assertThat(reads.stream().map(read -> read.end).distinct())
                .as("each kind of end has been tried")
                .containsExactlyInAnyOrder(End.RAN, End.WAITED, End.LEFT, End.REFUSED);
        assertThatAllSlotsAreFree(turns, perTenantMax);
    }

    private static void inAllThreads(Runnable task) {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CompletableFuture.allOf(Stream.generate(() -> CompletableFuture.runAsync(task, threads))
                            .limit(THREADS)
                            .toArray(CompletableFuture[]::new))
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
        } finally {
            threads.shutdownNow();
        }
    }

    private void arrive(Turns<Read> turns) {
        for (int i = 0; i < READS_OF_A_THREAD; i++) {
            Read read = new Read(ThreadLocalRandom.current().nextInt(TENANTS));
            reads.add(read);
            read.arrival.begin = ticks.incrementAndGet();
            Admission admission = turns.arrive(read);
            read.arrival.end = ticks.incrementAndGet();
            switch (admission) {
                case RUNS -> {
                    read.end = End.RAN;
                    read.turn = read.arrival;
                    run(turns, read);
                }
                case WAITS -> wait(turns, read);
                case REFUSED -> {
                    read.end = End.REFUSED;
                    pause();
                }
            }
        }
    }

    private static void wait(Turns<Read> turns, Read read) {
        pause();
        boolean leaves = ThreadLocalRandom.current().nextInt(3) == 0;
        read.end = leaves && turns.stopWaiting(read) ? End.LEFT : End.WAITED;
    }

    /** Runs the read, and then each one whose turn begins with the end of the one before. */
    private void run(Turns<Read> turns, Read first) {
        @Nullable Read read = first;
        while (read != null) {
            read.starts.incrementAndGet();
            mostInAll.accumulateAndGet(runningInAll.incrementAndGet(), Math::max);
            mostOfATenant.accumulateAndGet(running.incrementAndGet(read.number), Math::max);
            runWhileOthersArrive();
            running.decrementAndGet(read.number);
            runningInAll.decrementAndGet();
            Span turn = new Span();
            turn.begin = ticks.incrementAndGet();
            read = turns.end(read.tenant());
            turn.end = ticks.incrementAndGet();
            if (read != null) {
                read.turn = turn;
            }
        }
    }

    /** Until up to 20 calls of other threads have been made, or for about 2 ms. */
    private void runWhileOthersArrive() {
        long until = ticks.get() + ThreadLocalRandom.current().nextInt(40);
        for (int i = 0; i < 30 && ticks.get() < until; i++) {
            LockSupport.parkNanos(1_000);
        }
    }

    /** A thread that sleeps runs soon again, also on a busy machine; one that yields may not. */
    private static void pause() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(100_000));
    }

    /**
     * The reads that arrived before another one and had their turn after it, where neither the arrivals nor the turns took place at the
     * same time: of a tenant, and of all tenants if no turn passes to another tenant.
     */
    private List<String> overtaken(int perTenantMax) {
        List<Read> turned = reads.stream().filter(Read::hasTurn).toList();
        return turned.stream()
                .flatMap(read -> turned.stream()
                        .filter(later -> perTenantMax == MAX || later.number == read.number)
                        .filter(later -> read.arrival.isBefore(later.arrival) && later.turn.isBefore(read.turn))
                        .map(later -> later + " before " + read))
                .toList();
    }

    private static void assertThatAllSlotsAreFree(Turns<Read> turns, int perTenantMax) {
        List<Admission> admissions = IntStream.range(0, MAX + 1)
                .mapToObj(i -> turns.arrive(new Read(i / perTenantMax)))
                .toList();

        assertThat(admissions).containsExactly(Admission.RUNS, Admission.RUNS, Admission.RUNS, Admission.WAITS);
    }

    private enum End {
        /** It ran when it arrived. */
        RAN,
        /** It waited for its turn. */
        WAITED,
        LEFT,
        REFUSED
    }

    /** Of a call: the ticks before and after it. */
    private static final class Span {

        private volatile long begin;
        private volatile long end;

        private boolean isBefore(Span other) {
            return end < other.begin;
        }

        @Override
        public String toString() {
            return begin + "-" + end;
        }
    }

    /** Equal to itself only. */
    private static final class Read implements Turns.OfTenant {

        private final int number;
        private final Tenant tenant;
        private final AtomicInteger starts = new AtomicInteger();
        private final Span arrival = new Span();
        private volatile Span turn = new Span();
        private volatile End end = End.WAITED;

        private Read(int number) {
            this.number = number;
            this.tenant = Tenant.of(number + 1, Mode.TEST);
        }

        private boolean hasTurn() {
            return end == End.RAN || end == End.WAITED;
        }

        @Override
        public Tenant tenant() {
            return tenant;
        }

        @Override
        public String toString() {
            return "tenant " + number + " arrived " + arrival + ", turn " + turn;
        }
    }
}
