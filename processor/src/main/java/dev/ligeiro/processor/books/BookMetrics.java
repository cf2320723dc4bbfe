package dev.ligeiro.processor.books;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The metrics of the books. */
@Component
class BookMetrics {

    private final Counter written;
    private final Counter skipped;
    private final Timer delay;

    BookMetrics(MeterRegistry meters) {
        this.written = Counter.builder("ligeiro.books.postings")
                .description("Postings that were written; those of a batch that is written again count again")
                .register(meters);
        this.skipped = Counter.builder("ligeiro.books.skipped")
                .description("Events whose posting cannot be made or stored; the books lack it until they are rebuilt")
                .register(meters);
        this.delay = Timer.builder("ligeiro.books.delay")
                .description("From the first event of a batch until the books have it")
                .register(meters);
    }

    /** @param age of the first event; null for a batch without a posting */
    void batchDone(int postings, @Nullable Duration age) {
        written.increment(postings);
        if (age != null) {
            delay.record(age);
        }
    }

    void skipped() {
        skipped.increment();
    }
}
