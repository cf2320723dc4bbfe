package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.client.JsonAnswer;
import dev.ligeiro.infra.client.JsonApi;
import dev.ligeiro.infra.loadtest.merchant.Abuser;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.Outcomes;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** Readers who each ask for a page of some list, one after the other without a pause. A refused one waits. */
public final class ListReaders implements Abuser {

    private final String name;
    private final JsonApi api;
    private final Supplier<String> pages;
    private final LongUnaryOperator waitNanos;
    private final Outcomes outcomes = new Outcomes();
    private final Histogram micros = new SynchronizedHistogram(1, Load.MICROS_MAX, 3);
    private final List<Thread> readers;
    private volatile boolean closed;

    /**
     * @param pages returns the path of the next page; called by all readers
     * @param waitNanos from the refusal to the next request, by the seconds of {@code Retry-After}
     */
    public ListReaders(String name, int count, JsonApi api, Supplier<String> pages, LongUnaryOperator waitNanos) {
        this.name = name;
        this.api = api;
        this.pages = pages;
        this.waitNanos = waitNanos;
        this.readers = Stream.generate(() -> new Thread(this::read, "list-reader"))
                .limit(count)
                .toList();
        readers.forEach(reader -> reader.setDaemon(true));
        readers.forEach(Thread::start);
    }

    private void read() {
        while (!closed) {
            long retryAfter = get(pages.get());
            if (retryAfter > 0) {
                LockSupport.parkNanos(waitNanos.applyAsLong(retryAfter));
            }
        }
    }

    /** Returns after how many seconds the next request may be sent. */
    private long get(String path) {
        try {
            JsonAnswer answer = api.get(path);
            outcomes.count(Integer.toString(answer.status()));
            if (answer.status() == 200) {
                Load.recordNanos(micros, answer.after().toNanos());
                return 0;
            }
            return answer.header("Retry-After").isEmpty() ? 1 : Long.parseLong(answer.header("Retry-After"));
        } catch (ApiException none) {
            outcomes.count("no answer");
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
        return name + " were answered " + outcomes;
    }
}
