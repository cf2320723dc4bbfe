package dev.ligeiro.gateway.operator.attention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.http.html.OpenStreams;
import dev.ligeiro.gateway.operator.attention.SystemStatus.OpenJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class StatusChangesTest {

    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

    private final AtomicInteger readings = new AtomicInteger();
    private final AtomicInteger breaks = new AtomicInteger();
    private VirtualTimeScheduler time;
    private final OpenStreams streams = new OpenStreams();
    private StatusChanges changes;

    @BeforeEach
    void start() {
        time = VirtualTimeScheduler.getOrSet();
        changes = new StatusChanges(() -> Mono.fromSupplier(this::status), streams);
    }

    @AfterEach
    void stop() {
        streams.stop();
        VirtualTimeScheduler.reset();
    }

    @Test
    void twentyWatchersShareOneReadingAndWithoutAWatcherThereIsNone() {
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(readings).hasValue(0);

        List<Disposable> watchers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            watchers.add(changes.watch().subscribe());
        }
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(readings).hasValue(20);

        watchers.forEach(Disposable::dispose);
        time.advanceTimeBy(Duration.ofSeconds(3));
        readings.set(0);
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(readings).hasValue(0);
    }

    @Test
    void aChangeIsToldAndAgesEachHalfMinute() {
        AtomicInteger told = new AtomicInteger();
        changes.watch().subscribe(change -> told.incrementAndGet());

        time.advanceTimeBy(Duration.ofSeconds(29));
        assertThat(told).hasValue(1);
        time.advanceTimeBy(Duration.ofSeconds(28));
        assertThat(told).hasValue(2);

        breaks.set(1);
        time.advanceTimeBy(Duration.ofSeconds(3));
        assertThat(told).hasValue(3);
    }

    @Test
    void aStopAndTooManyWatchersEndTheStream() {
        AtomicInteger ended = new AtomicInteger();
        for (int i = 0; i < 201; i++) {
            changes.watch().doOnComplete(ended::incrementAndGet).subscribe();
        }
        assertThat(ended).hasValue(1);

        streams.stop();

        assertThat(ended).hasValue(201);
    }

    private SystemStatus status() {
        readings.incrementAndGet();
        OpenWork open = new OpenWork(breaks.get(), false, null);
        return SystemStatus.of(
                NOW,
                List.of(),
                List.of(),
                Figures.of(List.of()),
                new OpenJson(null, null, open, null, null, null, null, null));
    }
}
