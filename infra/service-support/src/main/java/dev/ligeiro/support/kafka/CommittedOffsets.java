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
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Tells whether a consumer group has passed all records of a topic that were appended before a given time. A record is passed when the
 * group has committed a higher offset, and also when the log no longer has it. Its time is exact if the topic has
 * {@code message.timestamp.type=LogAppendTime}. It also tells the position of a group in each partition.
 *
 * <p>It never blocks its caller. Each call sends at most five requests. The client is created at the first call.
 */
public final class CommittedOffsets implements AutoCloseable {

    private static final int REQUEST_MILLIS_MAX = 5_000;
    private static final Duration CALL_MAX = Duration.ofSeconds(10);
    private static final long NONE = -1;

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
     * How far a group has read a partition.
     *
     * @param passed the offset of the first record that it has not passed
     * @param end the offset of the next record that Kafka appends
     */
    public record Position(long passed, long end) {}

    /** The position of {@code group} in each partition of {@code topic}, by four requests. Fails like {@link #hasPassed}. */
    public Mono<Map<Integer, Position>> positions(String group, String topic) {
        return ask(
                        topic,
                        (admin, partitions) -> Mono.zip(
                                committed(admin, group),
                                offsets(admin, partitions, OffsetSpec.earliest()),
                                offsets(admin, partitions, OffsetSpec.latest())))
                .map(offsets -> positions(offsets.getT1(), offsets.getT2(), offsets.getT3()));
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
        public record Span(long start, long committed, long end) {}
    }

    /** The log of {@code topic} as it is for {@code group}, by five requests. Fails like {@link #hasPassed}. */
    public Mono<Log> log(String group, String topic) {
        return Mono.zip(topicId(topic), ask(topic, (admin, partitions) -> offsets(
                                admin, partitions, OffsetSpec.earliest())
                        .flatMap(start -> Mono.zip(
                                Mono.just(start),
                                committed(admin, group),
                                offsets(admin, partitions, OffsetSpec.latest())))))
                .map(read -> new Log(
                        read.getT1(),
                        read.getT2().getT3().entrySet().stream()
                                .collect(Collectors.toMap(
                                        end -> end.getKey().partition(),
                                        end -> new Log.Span(
                                                read.getT2().getT1().getOrDefault(end.getKey(), 0L),
                                                read.getT2().getT2().getOrDefault(end.getKey(), NONE),
                                                end.getValue())))));
    }

    /** The id of {@code topic}: one that is made again under the same name has another one, and its offsets begin anew. */
    public Mono<String> topicId(String topic) {
        return Mono.fromSupplier(this::client)
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(admin -> description(admin, topic))
                .map(found -> found.topicId().toString())
                .timeout(CALL_MAX);
    }

    private static Map<Integer, Position> positions(
            Map<TopicPartition, Long> committed, Map<TopicPartition, Long> logStart, Map<TopicPartition, Long> logEnd) {
        return logEnd.entrySet().stream()
                .collect(Collectors.toMap(
                        end -> end.getKey().partition(),
                        end -> new Position(
                                Math.max(
                                        committed.getOrDefault(end.getKey(), 0L),
                                        logStart.getOrDefault(end.getKey(), 0L)),
                                end.getValue())));
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
