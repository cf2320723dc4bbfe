package dev.ligeiro.support.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.KafkaAdmin;
import reactor.test.StepVerifier;

/** On a topic of its own with two partitions, whose timestamps are those of the append. */
class CommittedOffsetsIT {

    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String NEVER_COMMITTED = "group-" + UUID.randomUUID();

    private final Instant future = Instant.now().plus(Duration.ofDays(1));
    private final String topic = "passed-records-it-" + UUID.randomUUID();
    private final CommittedOffsets committedOffsets =
            new CommittedOffsets(new KafkaAdmin(Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers())));

    @AfterEach
    void close() {
        committedOffsets.close();
        TestTopics.delete(topic);
    }

    @Test
    void aGroupHasPassedTheRecordsBeforeItsFirstUnreadOne() throws Exception {
        createTopic();

        Instant first = append(0);
        assertThat(hasPassed(NEVER_COMMITTED, first)).isTrue();
        assertThat(hasPassed(NEVER_COMMITTED, first.plusMillis(1))).isFalse();
        assertThat(hasPassed(NEVER_COMMITTED, future)).isFalse();

        String group = ConsumerGroups.startingNow(topic);
        assertThat(hasPassed(group, future)).isTrue();

        Instant other = append(1);
        assertThat(hasPassed(group, other)).isTrue();
        assertThat(hasPassed(group, other.plusMillis(1))).isFalse();

        ConsumerGroups.passAll(group, topic);
        assertThat(hasPassed(group, future)).isTrue();
        assertThat(hasPassed(NEVER_COMMITTED, future)).isFalse();
    }

    @Test
    void theLagIsTheAgeOfTheFirstUnreadRecord() throws Exception {
        createTopic();
        Instant first = append(0);
        append(1);

        assertThat(lag(NEVER_COMMITTED, first.plusSeconds(10))).isEqualTo(Duration.ofSeconds(10));
        assertThat(lag(ConsumerGroups.startingNow(topic), first.plusSeconds(10)))
                .isZero();
    }

    @Test
    void aDeletedRecordIsPassed() throws Exception {
        createTopic();
        append(0);
        append(1);
        assertThat(hasPassed(NEVER_COMMITTED, future)).isFalse();

        TestTopics.deleteRecords(topic);

        assertThat(hasPassed(NEVER_COMMITTED, future)).isTrue();
    }

    @Test
    void withoutTheTopicThereIsNoAnswer() {
        StepVerifier.create(committedOffsets.hasPassed(NEVER_COMMITTED, topic, Instant.now()))
                .expectError(UnknownTopicOrPartitionException.class)
                .verify(WAIT);
    }

    /** Empty, so every group has passed all of it. The broker may know the topic a little later than it has answered. */
    private void createTopic() {
        TestTopics.create(topic, 2, Map.of("message.timestamp.type", "LogAppendTime"));
        await().ignoreExceptionsInstanceOf(UnknownTopicOrPartitionException.class)
                .until(() -> hasPassed(NEVER_COMMITTED, future));
    }

    /** The time of the append. */
    private Instant append(int partition) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            return Instant.ofEpochMilli(producer.send(new ProducerRecord<>(topic, partition, null, new byte[0]))
                    .get(WAIT.toSeconds(), TimeUnit.SECONDS)
                    .timestamp());
        }
    }

    private Duration lag(String group, Instant now) {
        return committedOffsets.lag(group, topic, now).blockOptional(WAIT).orElseThrow();
    }

    private boolean hasPassed(String group, Instant time) {
        return Boolean.TRUE.equals(
                committedOffsets.hasPassed(group, topic, time).block(WAIT));
    }
}
