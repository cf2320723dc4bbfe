package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.client.JsonAnswer;
import dev.ligeiro.infra.client.JsonApi;
import dev.ligeiro.infra.loadtest.merchant.Abuser;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.Outcomes;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Readers who each ask for a page of some filter, one after the other without a pause. A refused one waits as {@code Retry-After} says. */
final class ListReaders implements Abuser {

    private static final int PAGES_MAX = 20;

    private final JsonApi api;
    private final List<ListFilter> filters;
    private final Outcomes outcomes = new Outcomes();
    private final Histogram micros = Load.histogram();
    private final List<Thread> readers;
    private volatile boolean closed;

    ListReaders(JsonApi api, List<ListFilter> filters, int count) {
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
            long waitSeconds = get(filter.path(1 + random.nextInt(PAGES_MAX)));
            if (waitSeconds > 0) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(waitSeconds));
            }
        }
    }

    /** Returns after how many seconds the next request may be sent. */
    private long get(String path) {
        try {
            JsonAnswer answer = api.get(path);
            outcomes.count(Integer.toString(answer.status()));
            if (answer.status() == 200) {
                record(answer.after().toNanos() / 1000);
                return 0;
            }
            return answer.header("Retry-After").isEmpty() ? 1 : Long.parseLong(answer.header("Retry-After"));
        } catch (ApiException none) {
            outcomes.count("no answer");
            return 1;
        }
    }

    private synchronized void record(long took) {
        micros.recordValue(Math.min(Load.MICROS_MAX, Math.max(1, took)));
    }

    /** Of the pages. */
    synchronized Latency latency() {
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
