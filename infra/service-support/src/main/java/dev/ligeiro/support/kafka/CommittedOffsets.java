package dev.ligeiro.support.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.KafkaAdmin;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Tells whether a consumer group has passed all records of a topic that were appended before a given time. A record is passed when the
 * group has committed a higher offset, and also when the log no longer has it. Its time is exact if the topic has
 * {@code message.timestamp.type=LogAppendTime}.
 *
 * <p>It never blocks its caller. Each call sends at most five requests. The client is created at the first call.
 */
public final class CommittedOffsets implements AutoCloseable {

    private static final int REQUEST_MILLIS_MAX = 5_000;
    private static final Duration CALL_MAX = Duration.ofSeconds(10);
    private static final long NONE = -1;
    private static final Duration LAG_MIN = Duration.ofSeconds(1);
    private static final int LAG_DOUBLINGS = 25;
    private static final int LAG_HALVINGS = 3;

    private final KafkaAdmin settings;
    private @Nullable Admin client;
    private boolean closed;

    public CommittedOffsets(KafkaAdmin settings) {
        this.settings = settings;
    }

    /**
     * Whether {@code group} has passed every record of {@code topic} that was appended before {@code time}, which is not in the
     * future. Fails if Kafka does not answer within 10 s or the topic does not exist.
     */
    public Mono<Boolean> hasPassed(String group, String topic, Instant time) {
        return ask(
                        topic,
                        (admin, partitions) -> Mono.zip(
                                committed(admin, group),
                                offsets(admin, partitions, OffsetSpec.earliest()),
                                offsets(admin, partitions, OffsetSpec.forTimestamp(time.toEpochMilli())),
                                offsets(admin, partitions, OffsetSpec.latest())))
                .map(offsets -> hasPassed(offsets.getT1(), offsets.getT2(), offsets.getT3(), offsets.getT4()));
    }

    private <T> Mono<T> ask(String topic, BiFunction<Admin, List<TopicPartition>, Mono<T>> question) {
        return Mono.fromSupplier(this::client)
                // creating a client resolves host names
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(admin -> partitions(admin, topic).flatMap(partitions -> question.apply(admin, partitions)))
                .timeout(CALL_MAX);
    }

    /**
     * What a topic has, and what a group has passed of it.
     *
     * @param partitions by their numbers
     */
    public record Log(String topicId, Map<Integer, Span> partitions) {

        /**
         * @param start the offset of the first record that Kafka still has
         * @param committed by the group; negative without a commit
         * @param end the offset of the next record that Kafka appends
         */
        public record Span(long start, long committed, long end) {

            /** The offset of the first record that the group has not passed. */
            public long passed() {
                return Math.max(start, committed);
            }
        }
    }

    /** The log of {@code topic} as it is for {@code group}, by five requests. Fails like {@link #hasPassed}. */
    public Mono<Log> log(String group, String topic) {
        return Mono.zip(topicId(topic), partitions(group, topic), Log::new);
    }

    /** The partitions of {@link #log}, by four requests. */
    public Mono<Map<Integer, Log.Span>> partitions(String group, String topic) {
        return ask(topic, (admin, partitions) -> offsets(admin, partitions, OffsetSpec.earliest())
                        .flatMap(starts -> Mono.zip(
                                Mono.just(starts),
                                committed(admin, group),
                                offsets(admin, partitions, OffsetSpec.latest()))))
                .map(read -> read.getT3().entrySet().stream()
                        .collect(Collectors.toMap(
                                end -> end.getKey().partition(),
                                end -> new Log.Span(
                                        read.getT1().getOrDefault(end.getKey(), 0L),
                                        read.getT2().getOrDefault(end.getKey(), NONE),
                                        end.getValue()))));
    }

    /** The id of {@code topic}: one that is made again under the same name has another one, and its offsets begin anew. */
    public Mono<String> topicId(String topic) {
        return Mono.fromSupplier(this::client)
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(admin -> description(admin, topic))
                .map(found -> found.topicId().toString())
                .timeout(CALL_MAX);
    }

    /**
     * How old the oldest record is that {@code group} has not passed, rounded up to an eighth; zero if it has passed all. It asks whether the
     * group has passed all records older than 0 s, 1 s, 2 s, 4 s and so on, then halves the last step: one or two questions without a lag,
     * about 20 after a lag of a day, whatever the number of records. Empty after more than 388 days. Fails like {@link #hasPassed}.
     */
    public Mono<Duration> lag(String group, String topic, Instant now) {
        return smallest(age -> hasPassed(group, topic, now.minus(age)));
    }

    /** The smallest age, rounded up, for which {@code hasPassed} is true. It is true for all larger ones. Empty if there is none. */
    static Mono<Duration> smallest(Function<Duration, Mono<Boolean>> hasPassed) {
        return Flux.fromStream(CommittedOffsets::ages)
                .concatMap(age -> hasPassed.apply(age).filter(passed -> passed).map(passed -> age), 0)
                .next()
                .flatMap(age -> age.compareTo(LAG_MIN) <= 0
                        ? Mono.just(age)
                        : halved(hasPassed, age.dividedBy(2), age, LAG_HALVINGS));
    }

    private static Stream<Duration> ages() {
        return Stream.concat(
                Stream.of(Duration.ZERO),
                Stream.iterate(LAG_MIN, age -> age.multipliedBy(2)).limit(1 + LAG_DOUBLINGS));
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

    /**
     * Whether {@code committed} or {@code logStart} has reached the first record at or after the time on each partition.
     *
     * @param committed the group's offset of each partition; absent before its first commit
     * @param atTime the offset of the first record at or after the time; negative if there is none, so that the end of the log counts
     */
    static boolean hasPassed(
            Map<TopicPartition, Long> committed,
            Map<TopicPartition, Long> logStart,
            Map<TopicPartition, Long> atTime,
            Map<TopicPartition, Long> logEnd) {
        return atTime.keySet().stream().allMatch(partition -> {
            long first = atTime.getOrDefault(partition, NONE);
            long target = first < 0 ? logEnd.getOrDefault(partition, Long.MAX_VALUE) : first;
            return Math.max(committed.getOrDefault(partition, 0L), logStart.getOrDefault(partition, 0L)) >= target;
        });
    }

    private static Mono<TopicDescription> description(Admin admin, String topic) {
        return mono(
                () -> admin.describeTopics(List.of(topic), new DescribeTopicsOptions().timeoutMs(REQUEST_MILLIS_MAX))
                        .topicNameValues()
                        .get(topic));
    }

    private static Mono<List<TopicPartition>> partitions(Admin admin, String topic) {
        return description(admin, topic).map(TopicDescription::partitions).map(partitions -> partitions.stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList());
    }

    private static Mono<Map<TopicPartition, Long>> committed(Admin admin, String group) {
        return mono(() -> admin.listConsumerGroupOffsets(
                                group, new ListConsumerGroupOffsetsOptions().timeoutMs(REQUEST_MILLIS_MAX))
                        .partitionsToOffsetAndMetadata())
                .map(offsets -> offsets.entrySet().stream()
                        // Kafka's client gives null for a partition without a commit
                        .filter(entry -> Objects.nonNull(entry.getValue()))
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, entry -> entry.getValue().offset())));
    }

    private static Mono<Map<TopicPartition, Long>> offsets(
            Admin admin, List<TopicPartition> partitions, OffsetSpec spec) {
        return mono(() -> admin.listOffsets(
                                partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> spec)),
                                new ListOffsetsOptions().timeoutMs(REQUEST_MILLIS_MAX))
                        .all())
                .map(offsets -> offsets.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, entry -> entry.getValue().offset())));
    }

    private static <T> Mono<T> mono(Supplier<@Nullable KafkaFuture<T>> request) {
        return Mono.fromCompletionStage(
                () -> Objects.requireNonNull(request.get()).toCompletionStage());
    }

    private synchronized Admin client() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        Admin current = client;
        if (current == null) {
            current = Admin.create(settings.getConfigurationProperties());
            client = current;
        }
        return current;
    }

    /** Does not wait for answers. */
    @Override
    public synchronized void close() {
        closed = true;
        if (client != null) {
            client.close(Duration.ZERO);
        }
    }
}
