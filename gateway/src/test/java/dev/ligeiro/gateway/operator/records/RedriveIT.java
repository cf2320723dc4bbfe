package dev.ligeiro.gateway.operator.records;

import static dev.ligeiro.gateway.operator.records.DeadLetterCalls.REDRIVE;
import static dev.ligeiro.gateway.operator.records.DeadLetterCalls.all;
import static dev.ligeiro.gateway.operator.records.DeadLetterCalls.ids;
import static dev.ligeiro.gateway.operator.records.DeadLetterCalls.newKey;
import static dev.ligeiro.gateway.operator.records.DeadLetterCalls.reason;
import static dev.ligeiro.gateway.operator.records.DeadLetterCalls.resultIds;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.testing.kafka.TopicReader;
import dev.ligeiro.testing.log.CapturedLogs;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Each test works behind a dead letter of its own, because the topics also have those of other tests. */
@ExtendWith({SharedGateway.class, SharedDeadLetters.class})
class RedriveIT {

    private static final DeadLetterTopic COMMANDS = DeadLetterTopic.COMMANDS;

    private final RunningGateway gateway;
    private final Api admin;
    private final DeadLetterWriter writer;
    private final DeadLetterCalls calls;

    RedriveIT(RunningGateway gateway, DeadLetterWriter writer, DeadLetterCalls calls) {
        this.gateway = gateway;
        this.admin = gateway.admin();
        this.writer = writer;
        this.calls = calls;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"dry_run\":true", ",\"dry_run\":null"})
    void aDryRunChangesNothing(String dryRun) {
        String key = newKey();
        String id = writer.write(COMMANDS, key, "failed");
        try (TopicReader topic = TopicReader.fromNow(COMMANDS.code())) {
            String request = "{\"topic\":\"transaction-commands\",\"ids\":[\"" + id + "\"]" + dryRun + "}";

            for (int i = 0; i < 2; i++) {
                assertThat(admin.post(REDRIVE, request).expect(200).body())
                        .isEqualTo("{\"dry_run\":true,\"topic\":\"transaction-commands\",\"count\":1,\"ids\":[\"" + id
                                + "\"],\"already_redriven\":0,\"next_cursor\":null}");
            }

            calls.redrive(ids(COMMANDS, id));
            await().until(() -> !topic.records(key).isEmpty());
            assertThat(topic.toTheEnd().records(key)).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(DeadLetterTopic.class)
    void aDeadLetterGoesBackToItsTopicAsItWasAndOnlyOnce(DeadLetterTopic topic) {
        String marker = calls.marker(topic);
        String key = newKey();
        String id = writer.write(topic, key, "failed");
        double counted = calls.counted(topic);
        try (TopicReader original = TopicReader.fromNow(topic.code())) {
            Answer sent = calls.redrive(all(topic, marker));

            assertThat(resultIds(sent)).containsExactly(id);
            await().until(() -> !original.records(key).isEmpty());
            ConsumerRecord<byte[], byte[]> record = original.records(key).get(0);
            assertThat(record.value()).isEqualTo(DeadLetterWriter.VALUE.getBytes(UTF_8));
            assertThat(Arrays.stream(record.headers().toArray())
                            .map(header -> header.key() + "=" + new String(header.value(), UTF_8)))
                    .containsExactly("tenant=42");
            assertThat(calls.counted(topic)).isEqualTo(counted + 1);

            for (ObjectNode again : List.of(all(topic, marker), ids(topic, id), reason(topic, marker, "failed"))) {
                Answer second = calls.redrive(again);
                assertThat(resultIds(second)).isEmpty();
                assertThat(second.json().path("already_redriven").asInt()).isEqualTo(1);
            }
            assertThat(calls.list(topic, marker, 1)
                            .json()
                            .at("/dead_letters/0/redriven")
                            .booleanValue())
                    .isTrue();

            // a record that fails again is a new dead letter
            String failedAgain = writer.write(topic, key, "failed");
            assertThat(resultIds(calls.redrive(all(topic, marker)))).containsExactly(failedAgain);
            await().until(() -> original.toTheEnd().records(key).size() == 2);
        }
    }

    /** The records of a transaction go to one partition, in their order. */
    @Test
    void theOrderOfATransactionIsKept() {
        String key = newKey();
        List<String> ids = Stream.of("first", "second", "third")
                .map(reason -> writer.write(COMMANDS, key, reason))
                .toList();
        try (TopicReader topic = TopicReader.fromNow(COMMANDS.code())) {
            // in another order, and one twice
            assertThat(resultIds(calls.redrive(ids(COMMANDS, ids.get(2), ids.get(0), ids.get(1), ids.get(0)))))
                    .isEqualTo(ids);

            await().until(() -> topic.toTheEnd().records(key).size() == 3);
            assertThat(topic.records(key).stream()
                            .map(ConsumerRecord::partition)
                            .distinct())
                    .hasSize(1);
        }
    }

    @Test
    void aReasonSelectsOnlyItsDeadLetters() {
        String marker = calls.marker(COMMANDS);
        List<String> failed = calls.write(2, "failed");
        List<String> refused = calls.write(1, "unsupported_operation");

        assertThat(resultIds(calls.redrive(reason(COMMANDS, marker, "unsupported_operation"))))
                .isEqualTo(refused);
        assertThat(resultIds(calls.redrive(reason(COMMANDS, marker, "unknown_reason"))))
                .isEmpty();
        assertThat(resultIds(calls.redrive(all(COMMANDS, marker)))).isEqualTo(failed);
    }

    @Test
    void moreThanAPageNeedsSeveralCalls() {
        String marker = calls.marker(COMMANDS);
        for (int i = 0; i < RedriveDeadLetters.PAGE_SIZE + 7; i++) {
            writer.start(COMMANDS, newKey(), "failed");
        }
        writer.flush();

        Answer first = calls.redrive(all(COMMANDS, marker));
        assertThat(resultIds(first)).hasSize(RedriveDeadLetters.PAGE_SIZE);
        assertThat(first.text("next_cursor")).isEqualTo(resultIds(first).get(RedriveDeadLetters.PAGE_SIZE - 1));

        // without the cursor: the page that was redriven is skipped
        Answer second = calls.redrive(all(COMMANDS, marker));
        assertThat(resultIds(second)).hasSize(7);
        assertThat(second.json().path("already_redriven").asInt()).isEqualTo(RedriveDeadLetters.PAGE_SIZE);
        assertThat(second.json().path("next_cursor").isNull()).isTrue();
        assertThat(resultIds(calls.redrive(all(COMMANDS, first.text("next_cursor")))))
                .isEmpty();
    }

    /** The offsets of a topic that is created again start at 0. */
    @Test
    void aDeadLetterWithThePositionOfAForgottenOneIsOpen() {
        String id = writer.write(COMMANDS, newKey(), "failed");
        DeadLetterId position = DeadLetterId.parse(id);
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            Document olderTopic = new Document("topic", COMMANDS.deadLetters())
                    .append("partition", position.partition())
                    .append("offset", position.offset())
                    .append("at", Date.from(Instant.parse("2026-01-01T00:00:00Z")));
            stored.insert(
                    "dead_letters_redriven",
                    new Document("_id", olderTopic).append("redrivenAt", Date.from(Instant.now())));
        }

        assertThat(resultIds(calls.redrive(ids(COMMANDS, id)))).containsExactly(id);
    }

    @Test
    void unknownIdsAreNamedAndNothingIsSent() {
        String id = writer.write(COMMANDS, newKey(), "failed");
        String next = "0-" + (DeadLetterId.parse(id).offset() + 1);

        Answer refused = admin.post(REDRIVE, ids(COMMANDS, id, next, "7-0").put("dry_run", false));

        assertThat(refused.expectProblem(422, "validation_failed").fieldErrors())
                .containsExactly("ids:unknown");
        assertThat(refused.json().at("/errors/0/message").stringValue()).endsWith("unknown: [" + next + ", 7-0]");
        assertThat(resultIds(calls.redrive(ids(COMMANDS, id)))).containsExactly(id);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"topic\":\"x\",\"dry_run\":\"no\"            | topic:invalid ids:required dry_run:wrong_type",
                "\"all\":true,\"topic\":null                 | topic:required",
                "\"all\":true,\"topic\":7                    | topic:wrong_type",
                "%s,\"reason\":null                          | ids:required",
                "%s,\"all\":false                            | all:invalid",
                "%s,\"all\":\"yes\"                          | all:wrong_type",
                "%s,\"all\":true,\"reason\":\"failed\"       | reason:invalid all:invalid",
                "%s,\"all\":false,\"ids\":[\"0-1\"]          | ids:invalid all:invalid",
                "%s,\"reason\":\" \"                         | reason:required",
                "%s,\"reason\":\"Not a code\"                | reason:invalid",
                "%s,\"reason\":[\"failed\"]                  | reason:wrong_type",
                "%s,\"ids\":\"0-1\"                          | ids:wrong_type",
                "%s,\"ids\":[1]                              | ids:wrong_type",
                "%s,\"ids\":[]                               | ids:invalid",
                "%s,\"ids\":[\"0-1\",\"x\"]                  | ids:invalid",
                "%s,\"ids\":[\"0-1\"],\"after\":\"0-0\"      | after:invalid",
                "%s,\"all\":true,\"after\":\"last\"          | after:invalid",
                "%s,\"all\":true,\"dry_run\":0               | dry_run:wrong_type",
            })
    void anInvalidFieldIsNamed(String fields, String errors) {
        String body = "{" + fields.replace("%s", "\"topic\":\"transaction-commands\"") + "}";

        assertThat(admin.post(REDRIVE, body)
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly(errors.split(" "));
    }

    @Test
    void atMostOneHundredIdsAreRedrivenAtOnce() {
        String[] ids = IntStream.rangeClosed(0, 100).mapToObj(i -> "0-" + i).toArray(String[]::new);

        assertThat(admin.post(REDRIVE, ids(COMMANDS, ids))
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly("ids:invalid");
    }

    @Test
    void readsAtTheSameTimeLogNoWarning() {
        String marker = calls.marker(COMMANDS);
        String id = writer.write(COMMANDS, newKey(), "failed");
        try (CapturedLogs logs = new CapturedLogs()) {
            List<CompletableFuture<Answer>> reads = Stream.generate(
                            () -> admin.postAsync(REDRIVE, all(COMMANDS, marker)))
                    .limit(8)
                    .toList();

            assertThat(reads)
                    .allSatisfy(read ->
                            assertThat(resultIds(read.join().expect(200))).containsExactly(id));
            assertThat(logs.lines()).noneMatch(line -> line.startsWith("WARN") || line.startsWith("ERROR"));
        }
    }
}
