package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.loadtest.generate.PastTransactions;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Fills the merchant's past straight into MongoDB, for what lists and inserts cost once much is stored. */
final class StoreBefore {

    private static final int GROUP = 1_000;
    private static final int GROUPS_AT_ONCE = 2;
    private static final Duration GROUP_MAX = Duration.ofSeconds(60);
    private static final int SAY_EVERY = 50_000;

    private final Bench bench;
    private final long count;
    private final PastTransactions past;
    private final AtomicLong done = new AtomicLong();

    StoreBefore(Bench bench, long count) {
        this.bench = bench;
        this.count = count;
        this.past = new PastTransactions(bench.sample(), count, Instant.now());
    }

    void run() {
        long groups = (count + GROUP - 1) / GROUP;
        Flux.range(0, Math.toIntExact(groups))
                .flatMap(group -> add((long) group * GROUP), GROUPS_AT_ONCE)
                .blockLast();
        bench.stored().checkpoint();
    }

    private Mono<Void> add(long first) {
        List<Transaction> group = LongStream.range(first, Math.min(count, first + GROUP))
                .mapToObj(past::get)
                .toList();
        return bench.stored().add(group).timeout(GROUP_MAX).doOnSuccess(added -> report(group.size()));
    }

    private void report(int added) {
        long before = done.getAndAdd(added);
        if (before / SAY_EVERY != (before + added) / SAY_EVERY) {
            Progress.say("  %d of %d stored beforehand", before + added, count);
        }
    }
}
