package dev.ligeiro.desk.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.desk.record.DeadLetterController.DeadLetterTopic;
import dev.ligeiro.desk.record.TopicReader.RecordPlace;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.Topics;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.kafka.DeadLetter;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.testing.kafka.TopicReader;
import dev.ligeiro.testing.log.CapturedLogs;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Each test works behind a dead letter of its own, because the topics also have those of other tests. */
@ExtendWith(SharedDesk.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeadLetterIT {

    private static final String LIST = "/admin/dead-letters";
    private static final String REDRIVE = LIST + "/redrive";
    private static final String VALUE = "{\"name\":\"Maria Silva\",\"document\":\"52998224725\"";
    private static final DeadLetterTopic COMMANDS = DeadLetterTopic.COMMANDS;

    private final RunningDesk desk;
    private final Api admin;

    DeadLetterIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
        for (DeadLetterTopic topic : DeadLetterTopic.values()) {
            TestTopics.create(topic.code(), 3);
            TestTopics.create(Topics.deadLetter(topic.code()), 1);
        }
    }

    @Test
    void aListShowsTheOriginOfADeadLetterAndNothingOfItsContent() {
        String marker = marker(COMMANDS);
        String transaction = newKey();
        Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        String id = write(COMMANDS, transaction, "invalid_message");
        write(COMMANDS, "Maria Silva", "failed");

        Answer answer = list(COMMANDS, marker, 100);

        JsonNode first = answer.json().path("dead_letters").path(0);
        assertThat(Instant.parse(first.path("at").stringValue())).isBetween(before, Instant.now());
        assertThat(first)
                .isEqualTo(parsed(
                                """
                                {"id":"%s","topic":"transaction-commands","original_partition":2,"original_offset":4711,
                                "reason":"invalid_message","detail":"StreamReadException at offset 17",
                                "exception":"dev.ligeiro.message.InvalidMessage","transaction_id":"%s"}
                                """
                                        .formatted(id, transaction))
                        .put("at", first.path("at").stringValue())
                        .put("redriven", false)
                        .putNull("merchant_id")
                        .putNull("merchant_number")
                        .putNull("merchant_name")
                        .putNull("mode")
                        .putNull("e2e_id"));
        assertThat(answer.json()
                        .path("dead_letters")
                        .path(1)
                        .path("transaction_id")
                        .isNull())
                .isTrue();
        assertThat(answer.json().path("next_cursor").isNull()).isTrue();
        assertThat(answer.body()).doesNotContain("Maria").doesNotContain("52998224725");
    }

    @Test
    void pagesFollowEachOtherFromTheOldestOn() {
        String marker = marker(COMMANDS);
        List<String> written = write(5, "failed");

        List<String> listed = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        String cursor = marker;
        while (!cursor.isEmpty()) {
            Answer page = list(COMMANDS, cursor, 2);
            sizes.add(page.json().path("dead_letters").size());
            listed.addAll(listedIds(page));
            cursor = page.text("next_cursor");
        }

        assertThat(listed).isEqualTo(written);
        assertThat(sizes).containsExactly(2, 2, 1);
        assertThat(list(COMMANDS, written.get(4), 100).body()).isEqualTo("{\"dead_letters\":[],\"next_cursor\":null}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                         | topic:required",
                "?topic=transactions                        | topic:invalid",
                "?topic=transaction-events&topic=transaction-events | topic:repeated",
                "?topic=transaction-events&limit=101        | limit:invalid",
                "?topic=transaction-events&limit=0          | limit:invalid",
                "?topic=transaction-events&after=0-9999999999999999999 | after:invalid",
                "?topic=transaction-events&after=x          | after:invalid",
                "?topic=transaction-events&page=2           | page:unknown",
            })
    void anInvalidParameterOfTheListIsNamed(String query, String errors) {
        assertThat(admin.get(LIST + query)
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly(errors.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"dry_run\":true", ",\"dry_run\":null"})
    void aDryRunChangesNothing(String dryRun) {
        String key = newKey();
        String id = write(COMMANDS, key, "failed");
        try (TopicReader topic = TopicReader.fromNow(COMMANDS.code())) {
            String request = "{\"topic\":\"transaction-commands\",\"ids\":[\"" + id + "\"]" + dryRun + "}";

            for (int i = 0; i < 2; i++) {
                assertThat(admin.post(REDRIVE, request).expect(200).body())
                        .isEqualTo("{\"dry_run\":true,\"topic\":\"transaction-commands\",\"count\":1,\"ids\":[\"" + id
                                + "\"],\"already_redriven\":0,\"next_cursor\":null}");
            }

            redrive(ids(COMMANDS, id));
            await().until(() -> !topic.records(key).isEmpty());
            assertThat(topic.toTheEnd().records(key)).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(DeadLetterTopic.class)
    void aDeadLetterGoesBackToItsTopicAsItWasAndOnlyOnce(DeadLetterTopic topic) {
        String marker = marker(topic);
        String key = newKey();
        String id = write(topic, key, "failed");
        double counted = counted(topic);
        try (TopicReader original = TopicReader.fromNow(topic.code())) {
            Answer sent = redrive(all(topic, marker));

            assertThat(resultIds(sent)).containsExactly(id);
            await().until(() -> !original.records(key).isEmpty());
            ConsumerRecord<byte[], byte[]> record = original.records(key).get(0);
            assertThat(record.value()).isEqualTo(VALUE.getBytes(UTF_8));
            assertThat(Arrays.stream(record.headers().toArray())
                            .map(header -> header.key() + "=" + new String(header.value(), UTF_8)))
                    .containsExactly("tenant=42");
            assertThat(counted(topic)).isEqualTo(counted + 1);

            for (ObjectNode again : List.of(all(topic, marker), ids(topic, id), reason(topic, marker, "failed"))) {
                Answer second = redrive(again);
                assertThat(resultIds(second)).isEmpty();
                assertThat(second.json().path("already_redriven").asInt()).isEqualTo(1);
            }
            assertThat(list(topic, marker, 1)
                            .json()
                            .at("/dead_letters/0/redriven")
                            .booleanValue())
                    .isTrue();

            // a record that fails again is a new dead letter
            String failedAgain = write(topic, key, "failed");
            assertThat(resultIds(redrive(all(topic, marker)))).containsExactly(failedAgain);
            await().until(() -> original.toTheEnd().records(key).size() == 2);
        }
    }

    /** The records of a transaction go to one partition, in their order. */
    @Test
    void theOrderOfATransactionIsKept() {
        String key = newKey();
        List<String> ids = Stream.of("first", "second", "third")
                .map(reason -> write(COMMANDS, key, reason))
                .toList();
        try (TopicReader topic = TopicReader.fromNow(COMMANDS.code())) {
            // in another order, and one twice
            assertThat(resultIds(redrive(ids(COMMANDS, ids.get(2), ids.get(0), ids.get(1), ids.get(0)))))
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
        String marker = marker(COMMANDS);
        List<String> failed = write(2, "failed");
        List<String> refused = write(1, "unsupported_operation");

        assertThat(resultIds(redrive(reason(COMMANDS, marker, "unsupported_operation"))))
                .isEqualTo(refused);
        assertThat(resultIds(redrive(reason(COMMANDS, marker, "unknown_reason"))))
                .isEmpty();
        assertThat(resultIds(redrive(all(COMMANDS, marker)))).isEqualTo(failed);
    }

    @Test
    void moreThanAPageNeedsSeveralCalls() {
        String marker = marker(COMMANDS);
        startAll(DeadLetterController.REDRIVEN_MAX + 7);

        Answer first = redrive(all(COMMANDS, marker));
        assertThat(resultIds(first)).hasSize(DeadLetterController.REDRIVEN_MAX);
        assertThat(first.text("next_cursor")).isEqualTo(resultIds(first).get(DeadLetterController.REDRIVEN_MAX - 1));

        Answer again = redrive(all(COMMANDS, marker));
        assertThat(resultIds(again)).isEmpty();
        assertThat(again.json().path("already_redriven").asInt()).isEqualTo(DeadLetterController.REDRIVEN_MAX);
        assertThat(again.text("next_cursor")).isEqualTo(first.text("next_cursor"));
        Answer rest = redrive(all(COMMANDS, first.text("next_cursor")));
        assertThat(resultIds(rest)).hasSize(7);
        assertThat(rest.json().path("next_cursor").isNull()).isTrue();
    }

    /** The offsets of a topic that is created again start at 0. */
    @Test
    void aDeadLetterWithThePositionOfAForgottenOneIsOpen() {
        String id = write(COMMANDS, newKey(), "failed");
        long then = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
        desk.mongo()
                .insert(
                        new Document("_id", COMMANDS.deadLetters() + "-" + id + "-" + then)
                                .append("redrivenAt", Date.from(Instant.now())),
                        CollectionNames.DEAD_LETTERS_REDRIVEN);

        assertThat(resultIds(redrive(ids(COMMANDS, id)))).containsExactly(id);
    }

    @Test
    void unknownIdsAreNamedAndNothingIsSent() {
        String id = write(COMMANDS, newKey(), "failed");
        String next = "0-" + (RecordPlace.valueOf(id).offset() + 1);

        Answer refused = admin.post(REDRIVE, ids(COMMANDS, id, next, "7-0").put("dry_run", false));

        assertThat(refused.expectProblem(422, "validation_failed").fieldErrors())
                .containsExactly("ids:unknown");
        assertThat(refused.json().at("/errors/0/message").stringValue()).endsWith("unknown: [" + next + ", 7-0]");
        assertThat(resultIds(redrive(ids(COMMANDS, id)))).containsExactly(id);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"all\":true,\"topic\":7                    | topic:wrong_type",
                "%s,\"reason\":null                          | ids:invalid",
                "%s,\"all\":false                            | all:invalid",
                "%s,\"all\":true,\"reason\":\"failed\"       | ids:invalid",
                "%s,\"reason\":\"Not a code\"                | reason:invalid",
                "%s,\"ids\":\"0-1\"                          | ids:wrong_type",
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
    void oneHundredIdsAreRedrivenAtOnce() {
        List<String> ids = startAll(100);

        assertThat(resultIds(redrive(ids(COMMANDS, ids.toArray(String[]::new)))))
                .isEqualTo(ids);
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
        String marker = marker(COMMANDS);
        String id = write(COMMANDS, newKey(), "failed");
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

    @Test
    void aPersonRedrivesADeadLetter() {
        String key = newKey();
        try (TopicReader topic = TopicReader.fromNow(DeadLetterTopic.EVENTS.code())) {
            String before = write(DeadLetterTopic.EVENTS, newKey(), "failed");
            String id = write(DeadLetterTopic.EVENTS, key, "failed");
            String path = "/console/dead-letters?topic=transaction-events&after=" + before;
            Visitor visitor = Visitor.signedIn(desk, RunningDesk.OPERATOR_TOKEN);
            String page = visitor.get(path).expect(200).body();
            assertThat(page).contains("its processing always fails", key).doesNotContain("Maria");

            Matcher form = Pattern.compile("href=\"(/console/do/dead-letters/redrive\\?[^\"]*ids=" + id + "[^\"]*)\"")
                    .matcher(page);
            assertThat(form.find()).isTrue();
            visitor.send(form.group(1).replace("&amp;", "&")).expect(303);

            await().until(() -> !topic.records(key).isEmpty());
            assertThat(new String(topic.records(key).get(0).value(), UTF_8)).isEqualTo(VALUE);
            assertThat(visitor.get(path).body()).contains("Redriven").contains("Dead letters: 1.");
        }
    }

    @Test
    void aReaderSeesNoForm() {
        write(COMMANDS, newKey(), "failed");
        String page = Visitor.signedIn(desk, RunningDesk.READER_TOKEN)
                .get("/console/dead-letters")
                .expect(200)
                .body();

        assertThat(page).contains("its processing always fails").doesNotContain("/console/do/");
    }

    /** The id of a new dead letter, which is redriven at once. */
    private String marker(DeadLetterTopic topic) {
        String id = write(topic, newKey(), "marker");
        redrive(ids(topic, id));
        return id;
    }

    /** The id of a new dead letter, with the headers of {@code DeadLetters}. */
    private String write(DeadLetterTopic topic, String key, String reason) {
        return start(topic, key, reason).join();
    }

    private List<String> startAll(int count) {
        return Stream.generate(() -> start(COMMANDS, newKey(), "failed")).limit(count).toList().stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private CompletableFuture<String> start(DeadLetterTopic topic, String key, String reason) {
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(Topics.deadLetter(topic.code()), key.getBytes(UTF_8), VALUE.getBytes(UTF_8));
        Map.of(
                        "tenant",
                        "42",
                        DeadLetter.REASON,
                        reason,
                        DeadLetter.DETAIL,
                        "StreamReadException at offset 17",
                        DeadLetter.EXCEPTION_CLASS,
                        "dev.ligeiro.message.InvalidMessage",
                        DeadLetter.ORIGINAL_TOPIC,
                        topic.code(),
                        DeadLetter.ORIGINAL_PARTITION,
                        "2",
                        DeadLetter.ORIGINAL_OFFSET,
                        "4711",
                        DeadLetter.ORIGINAL_TIMESTAMP,
                        "2026-11-21T10:15:30.123Z")
                .forEach((name, value) -> letter.headers().add(name, value.getBytes(UTF_8)));
        return desk.kafka()
                .send(letter)
                .thenApply(sent -> sent.getRecordMetadata().partition() + "-"
                        + sent.getRecordMetadata().offset());
    }

    private List<String> write(int count, String reason) {
        return Stream.generate(() -> write(DeadLetterTopic.COMMANDS, newKey(), reason))
                .limit(count)
                .toList();
    }

    private Answer list(DeadLetterTopic topic, String after, int limit) {
        return admin.get(LIST + "?topic=" + topic.code() + "&after=" + after + "&limit=" + limit)
                .expect(200);
    }

    private Answer redrive(ObjectNode request) {
        return admin.post(REDRIVE, request.put("dry_run", false)).expect(200);
    }

    private static ObjectNode ids(DeadLetterTopic topic, String... ids) {
        ObjectNode request = request(topic);
        Stream.of(ids).forEach(request.putArray("ids")::add);
        return request;
    }

    private static ObjectNode all(DeadLetterTopic topic, String after) {
        return request(topic).put("all", true).put("after", after);
    }

    private static ObjectNode reason(DeadLetterTopic topic, String after, String reason) {
        return request(topic).put("reason", reason).put("after", after);
    }

    private static ObjectNode request(DeadLetterTopic topic) {
        return parsed("{}").put("topic", topic.code());
    }

    private static List<String> listedIds(Answer page) {
        return page.json()
                .path("dead_letters")
                .valueStream()
                .map(each -> each.path("id").stringValue())
                .toList();
    }

    private static List<String> resultIds(Answer result) {
        List<String> ids = result.json()
                .path("ids")
                .valueStream()
                .map(JsonNode::stringValue)
                .toList();
        assertThat(result.json().path("count").asInt()).isEqualTo(ids.size());
        return ids;
    }

    private static ObjectNode parsed(String json) {
        return (ObjectNode) new JsonMapper().readTree(json);
    }

    private double counted(DeadLetterTopic topic) {
        return desk.bean(MeterRegistry.class)
                .get("ligeiro.dead.letters.redriven")
                .tag("topic", topic.code())
                .counter()
                .count();
    }

    private static String newKey() {
        return UUID.randomUUID().toString();
    }
}
