package dev.ligeiro.gateway.operator.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.FieldErrors;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriComponentsBuilder;

class DeadLetterRequestsTest {

    private static final String TOPIC = "\"topic\":\"transaction-commands\"";

    @Test
    void aListHasOneHundredFromTheOldestOnByDefault() {
        assertThat(DeadLetterQuery.parse(parameters("topic=transaction-events&after=&limit=")))
                .isEqualTo(new DeadLetterQuery(DeadLetterTopic.EVENTS, null, 100));
        assertThat(DeadLetterQuery.parse(parameters("topic=transaction-commands&after=3-17&limit=1")))
                .isEqualTo(new DeadLetterQuery(DeadLetterTopic.COMMANDS, new DeadLetterId(3, 17), 1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit=5                                         | topic:required",
                "topic=                                          | topic:required",
                "topic=COMMANDS                                  | topic:invalid",
                "topic=transaction-events&topic=transaction-events | topic:repeated",
                "topic=transaction-events&limit=0                | limit:invalid",
                "topic=transaction-events&limit=101              | limit:invalid",
                "topic=transaction-events&limit=-1               | limit:invalid",
                "topic=transaction-events&limit=1e1              | limit:invalid",
                "topic=transaction-events&after=17               | after:invalid",
                "topic=transaction-events&after=0-9999999999999999999 | after:invalid",
                "topic=transaction-events&after=9999999999-1     | after:invalid",
                "topic=transaction-events&offset=1               | offset:unknown",
            })
    void invalidParametersAreNamed(String query, String error) {
        assertThat(FieldErrors.of(() -> DeadLetterQuery.parse(parameters(query))))
                .containsExactly(error);
    }

    @Test
    void aRedriveIsADryRunByDefault() {
        assertThat(request("{" + TOPIC + ",\"all\":true}")).isEqualTo(redrive(new Selection.Range(null, null), true));
        assertThat(request("{" + TOPIC + ",\"all\":true,\"dry_run\":false,\"after\":\"0-9\"}"))
                .isEqualTo(redrive(new Selection.Range(null, new DeadLetterId(0, 9)), false));
    }

    @Test
    void aReasonOrIdsSelectDeadLetters() {
        assertThat(request("{" + TOPIC + ",\"reason\":\"invalid_message\"}"))
                .isEqualTo(redrive(new Selection.Range("invalid_message", null), true));
        assertThat(request("{" + TOPIC + ",\"ids\":[\"1-2\",\"0-10\",\"0-9\",\"1-2\"],\"dry_run\":true}"))
                .isEqualTo(redrive(
                        new Selection.Ids(
                                List.of(new DeadLetterId(0, 9), new DeadLetterId(0, 10), new DeadLetterId(1, 2))),
                        true));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"all\":true,\"topic\":null                      | topic:required",
                "\"all\":true,\"topic\":7                         | topic:wrong_type",
                "\"reason\":null                                  | ids:required",
                "\"all\":false                                    | all:invalid",
                "\"all\":\"yes\"                                  | all:wrong_type",
                "\"all\":true,\"reason\":\"failed\"               | reason:invalid all:invalid",
                "\"all\":false,\"ids\":[\"0-1\"]                  | ids:invalid all:invalid",
                "\"reason\":\" \"                                 | reason:required",
                "\"reason\":\"Not a code\"                        | reason:invalid",
                "\"reason\":[\"failed\"]                          | reason:wrong_type",
                "\"ids\":\"0-1\"                                  | ids:wrong_type",
                "\"ids\":[1]                                      | ids:wrong_type",
                "\"ids\":[]                                       | ids:invalid",
                "\"ids\":[\"0-1\",\"x\"]                          | ids:invalid",
                "\"ids\":[\"0-1\"],\"after\":\"0-0\"              | after:invalid",
                "\"all\":true,\"after\":\"last\"                  | after:invalid",
                "\"all\":true,\"dry_run\":\"false\"               | dry_run:wrong_type",
                "\"all\":true,\"dry_run\":0                       | dry_run:wrong_type",
            })
    void invalidFieldsAreNamed(String fields, String errors) {
        String topic = fields.contains("topic") ? "" : TOPIC + ",";

        assertThat(FieldErrors.of(() -> request("{" + topic + fields + "}"))).containsExactly(errors.split(" "));
    }

    @Test
    void atMostOneHundredIdsAreRedrivenAtOnce() {
        assertThat(request("{" + TOPIC + ",\"ids\":[" + ids(100) + "]}").selection())
                .isInstanceOfSatisfying(Selection.Ids.class, selected -> assertThat(selected.ids())
                        .hasSize(100));
        assertThat(FieldErrors.of(() -> request("{" + TOPIC + ",\"ids\":[" + ids(101) + "]}")))
                .containsExactly("ids:invalid");
    }

    private static String ids(int count) {
        return IntStream.range(0, count)
                .mapToObj(offset -> "\"0-" + offset + "\"")
                .collect(Collectors.joining(","));
    }

    private static RedriveRequest redrive(Selection selection, boolean dryRun) {
        return new RedriveRequest(DeadLetterTopic.COMMANDS, selection, dryRun);
    }

    private static RedriveRequest request(String json) {
        return RedriveRequest.parse(Bodies.parsed(json));
    }

    private static MultiValueMap<String, @Nullable String> parameters(String query) {
        return UriComponentsBuilder.newInstance().query(query).build().getQueryParams();
    }
}
