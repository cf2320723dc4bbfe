package dev.ligeiro.gateway.api.statement;

import dev.ligeiro.message.Topics;
import dev.ligeiro.support.kafka.CommittedOffsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Whether the books can get no further entry of a day. An entry follows from a command that Kafka had before the entry's time, and its event is
 * sent before the command's offset is committed. So a day is final when the processors have passed all commands of the day, and after that the
 * books all events that there were. While Kafka does not answer, no further day is final.
 */
@Component
class FinalDays {

    /** Covers different clocks of processors and brokers too. */
    private static final Duration AFTER_END = Duration.ofHours(1);

    private static final Duration CLOCKS_DIFFER_MAX = Duration.ofMinutes(10);

    /** The books are half a second behind the latest event, so the second or third question is answered with yes. */
    private static final int QUESTIONS_MAX = 4;

    private static final Duration PAUSE = Duration.ofMillis(400);

    private final CommittedOffsets offsets;
    private final String processors;
    private final String books;
    private final Clock clock;
    private volatile Instant finalUntil = Instant.EPOCH;
    private volatile @Nullable Passed passed;
    /** While the books lag, a question takes up to 20 requests to Kafka: all requests for the same day share it. */
    private final Map<Instant, Mono<Boolean>> asked = new ConcurrentHashMap<>();

    /** At {@code seenAt} the processors had passed the commands up to {@code end}. */
    private record Passed(Instant end, Instant seenAt) {}

    FinalDays(
            CommittedOffsets offsets,
            @Value("${ligeiro.republish.consumer-group}") String processors,
            @Value("${ligeiro.books.consumer-group}") String books,
            Clock clock) {
        this.offsets = offsets;
        this.processors = processors;
        this.books = books;
        this.clock = clock;
    }

    /** Whether the day that ends at {@code end} is final, and all before it. */
    Mono<Boolean> areFinalUntil(Instant end) {
        if (!end.isAfter(finalUntil)) {
            return Mono.just(true);
        }
        if (clock.instant().isBefore(end.plus(AFTER_END))) {
            return Mono.just(false);
        }
        return asked.computeIfAbsent(
                end, day -> ask(day).doFinally(signal -> asked.remove(day)).cache());
    }

    private Mono<Boolean> ask(Instant end) {
        return commandsPassed(end)
                .flatMap(seenAt -> Flux.range(0, QUESTIONS_MAX)
                        .concatMap(
                                question -> Mono.delay(PAUSE.multipliedBy(Math.min(question, 1)))
                                        .then(offsets.hasPassed(books, Topics.EVENTS, seenAt)),
                                0)
                        .any(isPassed -> isPassed))
                .defaultIfEmpty(false)
                .doOnNext(isFinal -> {
                    if (isFinal && end.isAfter(finalUntil)) {
                        finalUntil = end;
                    }
                })
                .onErrorReturn(false);
    }

    /** When the processors had passed all commands of the day; empty while they have not. */
    private Mono<Instant> commandsPassed(Instant end) {
        Passed known = passed;
        if (known != null && !end.isAfter(known.end())) {
            return Mono.just(known.seenAt());
        }
        return offsets.hasPassed(processors, Topics.COMMANDS, end.plus(CLOCKS_DIFFER_MAX))
                .filter(isPassed -> isPassed)
                .map(isPassed -> {
                    // after the answer: before it, the last events of the day may still have been on their way
                    Instant seenAt = clock.instant();
                    passed = new Passed(end, seenAt);
                    return seenAt;
                });
    }
}
