package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** Readers who each ask for a page of some list, one after the other without a pause, until closed. A refused one waits. */
final class ListReaders implements AutoCloseable {

    /** One of the first pages, as a person leafs through them. */
    private static final int PAGES = 20;

    private final Api api;
    private final List<ListFilter> filters;
    private final Map<String, Long> outcomes = new ConcurrentSkipListMap<>();
    private final Histogram micros = new SynchronizedHistogram(1, Load.MICROS_MAX, 3);
    private final List<Thread> readers;
    private volatile boolean closed;

    ListReaders(int count, Api api, List<ListFilter> filters) {
        this.api = api;
        this.filters = filters;
        this.readers = Stream.generate(() -> new Thread(this::read, "list-reader"))
                .limit(count)
                .toList();
        readers.forEach(reader -> reader.setDaemon(true));
        readers.forEach(Thread::start);
    }

    private void read() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!closed) {
            ListFilter filter = filters.get(random.nextInt(filters.size()));
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(get(filter.path(1 + random.nextInt(PAGES)))));
        }
    }

    /** Returns after how many seconds the next request may be sent. */
    private long get(String path) {
        try {
            Answer answer = api.get(path);
            outcomes.merge(Integer.toString(answer.status()), 1L, Long::sum);
            if (answer.status() == 200) {
                Load.recordNanos(micros, answer.after().toNanos());
                return 0;
            }
            return answer.header("Retry-After").isEmpty() ? 1 : Long.parseLong(answer.header("Retry-After"));
        } catch (ApiException none) {
            outcomes.merge("no answer", 1L, Long::sum);
            return 1;
        }
    }

    /** Of the pages. */
    Latency latency() {
        return Latency.of(micros);
    }

    /** The requests that run are answered after this. */
    @Override
    public void close() {
        closed = true;
        readers.forEach(LockSupport::unpark);
    }

    @Override
    public String toString() {
        return readers.size() + " readers were answered " + outcomes;
    }
}
