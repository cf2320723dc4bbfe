package dev.ligeiro.gateway.operator.records;

import static dev.ligeiro.gateway.operator.records.DeadLetterCalls.LIST;
import static dev.ligeiro.gateway.operator.records.DeadLetterCalls.listedIds;
import static dev.ligeiro.gateway.operator.records.DeadLetterCalls.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Each test works behind a dead letter of its own, because the topics also have those of other tests. */
@ExtendWith({SharedGateway.class, SharedDeadLetters.class})
class DeadLetterListIT {

    private static final DeadLetterTopic COMMANDS = DeadLetterTopic.COMMANDS;

    private final RunningGateway gateway;
    private final Api admin;
    private final DeadLetterWriter writer;
    private final DeadLetterCalls calls;

    DeadLetterListIT(RunningGateway gateway, DeadLetterWriter writer, DeadLetterCalls calls) {
        this.gateway = gateway;
        this.admin = gateway.admin();
        this.writer = writer;
        this.calls = calls;
    }

    @Test
    void aListShowsTheOriginOfADeadLetterAndNothingOfItsContent() {
        String marker = calls.marker(COMMANDS);
        String transaction = newKey();
        Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        String id = writer.write(COMMANDS, transaction, "invalid_message");
        writer.write(COMMANDS, "Maria Silva", "failed");

        Answer answer = calls.list(COMMANDS, marker, 100);

        JsonNode first = answer.json().path("dead_letters").path(0);
        assertThat(Instant.parse(first.path("at").stringValue())).isBetween(before, Instant.now());
        assertThat(first)
                .isEqualTo(Bodies.parsed(
                                """
                                {"id":"%s","topic":"transaction-commands","original_partition":2,"original_offset":4711,
                                "reason":"invalid_message","detail":"StreamReadException at offset 17",
                                "exception":"dev.ligeiro.message.InvalidMessage","transaction_id":"%s"}
                                """
                                        .formatted(id, transaction))
                        .put("at", first.path("at").stringValue())
                        .put("redriven", false));
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
        String marker = calls.marker(COMMANDS);
        List<String> written = calls.write(5, "failed");

        List<String> listed = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        String cursor = marker;
        while (!cursor.isEmpty()) {
            Answer page = calls.list(COMMANDS, cursor, 2);
            sizes.add(page.json().path("dead_letters").size());
            listed.addAll(listedIds(page));
            cursor = page.text("next_cursor");
        }

        assertThat(listed).isEqualTo(written);
        assertThat(sizes).containsExactly(2, 2, 1);
        assertThat(calls.list(COMMANDS, written.get(4), 100).body())
                .isEqualTo("{\"dead_letters\":[],\"next_cursor\":null}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                         | topic:required",
                "?topic=transactions                        | topic:invalid",
                "?topic=transaction-commands-dlt            | topic:invalid",
                "?topic=                                    | topic:required",
                "?topic=COMMANDS                            | topic:invalid",
                "?topic=transaction-events&topic=transaction-events | topic:repeated",
                "?topic=transaction-events&limit=101        | limit:invalid",
                "?topic=transaction-events&limit=0          | limit:invalid",
                "?topic=transaction-events&limit=-1         | limit:invalid",
                "?topic=transaction-events&limit=1e1        | limit:invalid",
                "?topic=transaction-events&after=17         | after:invalid",
                "?topic=transaction-events&after=0-9999999999999999999 | after:invalid",
                "?topic=transaction-events&after=9999999999-1 | after:invalid",
                "?topic=transaction-events&after=x&limit=0  | after:invalid limit:invalid",
                "?topic=transaction-events&page=2           | page:unknown",
            })
    void anInvalidParameterIsNamed(String query, String errors) {
        assertThat(admin.get(LIST + query)
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly(errors.split(" "));
    }
}
