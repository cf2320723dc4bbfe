package dev.ligeiro.desk.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.Topics;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedDesk.class)
class GuardIT {

    private final RunningDesk desk;
    private final Api admin;
    private final String guard;

    GuardIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
        this.guard = admin.post("/admin/merchants", Map.of("name", "Loja"))
                        .expect(201)
                        .header("Location") + "/guard";
    }

    @Test
    void aGuardReplacesThatOfItsMode() {
        admin.put(
                        guard,
                        """
                        {"mode":"test","day_max":"1000.00","night_max":200,"amount_max":"50","approval_above":10,"count_max":10,"window_seconds":60,
                        "funds_check":false,"allowed_keys":["Maria@Example.com","+55 11 98765-4321"],"allowed_documents":["529.982.247-25"]}
                        """)
                .expect(200);

        assertThat(admin.get(guard + "?mode=test").expect(200).body())
                .isEqualTo(
                        "{\"mode\":\"test\",\"day_max\":\"1000.00\",\"night_max\":\"200.00\",\"amount_max\":\"50.00\","
                                + "\"count_max\":10,\"window_seconds\":60,\"approval_above\":\"10.00\",\"funds_check\":false,"
                                + "\"allowed_keys\":[\"+5511987654321\",\"maria@example.com\"],\"allowed_documents\":[\"52998224725\"]}");

        admin.put(guard, "{\"mode\":\"test\",\"amount_max\":\"7.00\"}").expect(200);
        JsonNode replaced = admin.get(guard).expect(200).json();
        assertThat(replaced.at("/guards/0/mode").stringValue()).isEqualTo("test");
        assertThat(replaced.at("/guards/0/amount_max").stringValue()).isEqualTo("7.00");
        assertThat(replaced.at("/guards/0/day_max").isNull()).isTrue();
        assertThat(replaced.at("/guards/1/mode").stringValue()).isEqualTo("live");
        assertThat(replaced.at("/guards/1/amount_max").isNull()).isTrue();
    }

    /** A cashout that is created after the answer must not be decided by what a processor knew before. */
    @Test
    void aGuardIsAnsweredWhenEveryProcessorDecidesByIt() {
        long begunNanos = System.nanoTime();

        admin.put(guard, "{\"mode\":\"test\",\"amount_max\":\"7.00\"}").expect(200);

        // that of the tests; 4 s by default
        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    void aDamagedGuardCanBeSetAgain() {
        String limit = "{\"mode\":\"test\",\"day_max\":\"7.77\"}";
        admin.put(guard, limit).expect(200);
        desk.mongo()
                .getCollection(CollectionNames.GUARDS)
                .updateMany(new Document("dayMax", 777L), new Document("$set", new Document("dayMax", "7")));
        assertThat(admin.get(guard + "?mode=test")
                        .expect(200)
                        .json()
                        .path("day_max")
                        .isNull())
                .isTrue();

        admin.put(guard, limit).expect(200);

        assertThat(admin.get(guard + "?mode=test").expect(200).text("day_max")).isEqualTo("7.77");
    }

    /** What nothing would hold cashouts to must not look as if it were set. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"day_max\":0                          | day_max",
                "\"day_max\":-1                         | day_max",
                "\"night_max\":\"1.001\"                | night_max",
                "\"amount_max\":true                    | amount_max",
                "\"amount_max\":\"10000000000\"         | amount_max",
                "\"amount_max\":1e999999999             | amount_max",
                "\"amount_max\":\"\"                    | amount_max",
                "\"count_max\":0,\"window_seconds\":60  | count_max",
                "\"count_max\":5                        | window_seconds",
                "\"window_seconds\":60                  | count_max",
                "\"count_max\":1.5,\"window_seconds\":1 | count_max",
                "\"count_max\":1,\"window_seconds\":0   | window_seconds",
                "\"approval_above\":0                   | approval_above",
                "\"funds_check\":\"no\"                 | funds_check",
                "\"allowed_keys\":[]                    | allowed_keys",
                "\"allowed_keys\":[\"nobody\"]          | allowed_keys",
                "\"allowed_keys\":\"maria@example.com\" | allowed_keys",
                "\"allowed_documents\":[\"12345678900\"]| allowed_documents",
                "\"limit\":1                            | limit"
            })
    void aFieldThatCannotHoldIsRefusedByItsName(String field, String name) {
        Answer refused = admin.put(guard, "{\"mode\":\"test\"," + field + "}").expectProblem(422, "validation_failed");

        assertThat(refused.json().at("/errors/0/field").stringValue()).isEqualTo(name);
        assertThat(refused.json().path("errors")).hasSize(1);
    }

    /** A check of funds would deny what the balance lacks only because the books are behind. */
    @Test
    void fundsAreCheckedOnlyIfTheBooksFollow() {
        TestTopics.create(Topics.EVENTS, 2);
        String checked = "{\"mode\":\"test\",\"funds_check\":true}";
        // of the machine: Kafka refuses times that are ahead, as the desk's clock is after other tests
        long anHourAgo = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
        desk.kafka()
                .send(new ProducerRecord<>(Topics.EVENTS, 0, anHourAgo, null, new byte[0]))
                .join();
        Answer refused = admin.put(guard, checked).expectProblem(422, "validation_failed");
        assertThat(refused.json().at("/errors/0/field").stringValue()).isEqualTo("funds_check");

        ConsumerGroups.passAll("ligeiro-books", Topics.EVENTS);
        assertThat(admin.put(guard, checked)
                        .expect(200)
                        .json()
                        .path("funds_check")
                        .booleanValue())
                .isTrue();
    }

    @Test
    void moreThanAThousandKeysAreRefused() {
        String many = "\"a@example.com\",".repeat(1_000) + "\"b@example.com\"";

        admin.put(guard, "{\"mode\":\"test\",\"allowed_keys\":[" + many + "]}").expectProblem(422, "validation_failed");
    }

    @Test
    void onlyMoneyMayReplaceAGuard() {
        String body = "{\"mode\":\"test\"}";

        admin.withToken(RunningDesk.OPERATOR_TOKEN).put(guard, body).expectProblem(403, "insufficient_role");
        admin.withToken(RunningDesk.MONEY_TOKEN).put(guard, body).expect(200);
        admin.put("/admin/merchants/" + UUID.randomUUID() + "/guard", body).expectProblem(404, "not_found");
        admin.get("/admin/merchants/" + UUID.randomUUID() + "/guard").expectProblem(404, "not_found");
        admin.get(guard + "?mode=real").expectProblem(422, "validation_failed");
    }
}
