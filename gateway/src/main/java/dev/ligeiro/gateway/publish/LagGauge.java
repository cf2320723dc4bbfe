package dev.ligeiro.gateway.publish;

import dev.ligeiro.message.Topics;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.support.observe.KnownGauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Measures every 30 s the age of the oldest record behind the committed offsets of the processors and of the dispatchers. They do not
 * measure it themselves: a process that hangs would report nothing. All gateways report the same.
 */
@Component
class LagGauge implements DisposableBean {

    private static final Duration FIRST_AFTER = Duration.ofSeconds(3);
    private static final Duration EVERY = Duration.ofSeconds(30);
    private static final Duration MEASURE_MAX = Duration.ofSeconds(12);
    private static final double MILLIS_PER_SECOND = 1_000;

    private final CommittedOffsets offsets;
    private final Clock clock;
    private final List<Reader> readers;
    private final KnownGauge gauge;
    private final Disposable measuring;

    LagGauge(
            CommittedOffsets offsets,
            Clock clock,
            MeterRegistry meters,
            @Value("${ligeiro.republish.consumer-group}") String processors,
            @Value("${ligeiro.lag.dispatcher-group}") String dispatchers,
            @Value("${ligeiro.books.consumer-group}") String books) {
        this.offsets = offsets;
        this.clock = clock;
        this.readers = List.of(
                new Reader(processors, Topics.COMMANDS),
                new Reader(dispatchers, Topics.EVENTS),
                new Reader(books, Topics.EVENTS));
        this.gauge = new KnownGauge(
                meters,
                "ligeiro.consumer.lag",
                "Age of the oldest record that a consumer group has not passed, 0 if there is none",
                "seconds");
        this.measuring = Flux.interval(FIRST_AFTER, EVERY)
                .onBackpressureDrop()
                .concatMap(tick -> measure(), 1)
                .subscribe();
    }

    /** A group about which Kafka does not answer in time has no lag until the next measurement. */
    private Mono<Void> measure() {
        return Flux.fromIterable(readers)
                .flatMap(this::series)
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .doOnNext(gauge::known)
                .then();
    }

    private Mono<Map.Entry<Tags, Double>> series(Reader reader) {
        return offsets.lag(reader.group(), reader.topic(), clock.instant())
                .timeout(MEASURE_MAX)
                .map(age -> Map.entry(
                        Tags.of("group", reader.group(), "topic", reader.topic()), age.toMillis() / MILLIS_PER_SECOND))
                .onErrorComplete();
    }

    @Override
    public void destroy() {
        measuring.dispose();
    }

    private record Reader(String group, String topic) {}
}
