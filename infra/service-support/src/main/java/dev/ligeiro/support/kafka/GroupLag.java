package dev.ligeiro.support.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * How old the oldest record is that a consumer group has not passed. It asks {@link CommittedOffsets} whether the group has passed all
 * records older than 0 s, 1 s, 2 s, 4 s and so on, then halves the last step. It costs one or two questions without a lag, and about 20
 * after a lag of a day, whatever the number of records.
 */
public final class GroupLag {

    private static final Duration FIRST = Duration.ofSeconds(1);
    /** Up to 388 days; a longer lag is not known. */
    private static final int DOUBLINGS = 25;
    /** The lag is known to an eighth. */
    private static final int HALVINGS = 3;

    private final CommittedOffsets records;

    public GroupLag(CommittedOffsets records) {
        this.records = records;
    }

    /** Zero if the group has passed all records. Fails if Kafka does not answer or the topic does not exist. */
    public Mono<Duration> of(String group, String topic, Instant now) {
        return smallest(age -> records.hasPassed(group, topic, now.minus(age)));
    }

    /** The smallest age, rounded up, for which {@code hasPassed} is true. It is true for all larger ones. Empty if there is none. */
    static Mono<Duration> smallest(Function<Duration, Mono<Boolean>> hasPassed) {
        return Flux.fromStream(GroupLag::ages)
                .concatMap(age -> hasPassed.apply(age).filter(passed -> passed).map(passed -> age), 0)
                .next()
                .flatMap(age -> age.compareTo(FIRST) <= 0
                        ? Mono.just(age)
                        : halved(hasPassed, age.dividedBy(2), age, HALVINGS));
    }

    private static Stream<Duration> ages() {
        return Stream.concat(
                Stream.of(Duration.ZERO),
                Stream.iterate(FIRST, age -> age.multipliedBy(2)).limit(1 + DOUBLINGS));
    }

    private static Mono<Duration> halved(
            Function<Duration, Mono<Boolean>> hasPassed, Duration not, Duration passed, int more) {
        if (more == 0) {
            return Mono.just(passed);
        }
        Duration middle = not.plus(passed).dividedBy(2);
        return hasPassed
                .apply(middle)
                .flatMap(isPassed -> isPassed
                        ? halved(hasPassed, not, middle, more - 1)
                        : halved(hasPassed, middle, passed, more - 1));
    }
}
