package dev.ligeiro.gateway.operator.admin;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.message.Topics;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedGateway.class)
class GuardApiIT {

    private static final String STOP = "/admin/cashouts-stop";

    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final String one;

    GuardApiIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
        this.one = "/admin/merchants/" + merchant.id();
    }

    @Test
    void aGuardReplacesThatOfItsMode() {
        gateway.admin()
                .put(
                        one + "/guard",
                        """
                        {"mode":"test","day_max":"1000.00","night_max":200,"amount_max":"50","approval_above":10,"count_max":10,"window_seconds":60,
                        "funds_check":false,"allowed_keys":["Maria@Example.com","+55 11 98765-4321"],"allowed_documents":["529.982.247-25"]}
                        """)
                .expect(200);

        JsonNode shown =
                gateway.admin().get(one + "/guard?mode=test").expect(200).json();
        assertThat(shown.path("day_max").stringValue()).isEqualTo("1000.00");
        assertThat(shown.path("night_max").stringValue()).isEqualTo("200.00");
        assertThat(shown.path("amount_max").stringValue()).isEqualTo("50.00");
        assertThat(shown.path("approval_above").stringValue()).isEqualTo("10.00");
        assertThat(shown.path("count_max").intValue()).isEqualTo(10);
        assertThat(shown.path("window_seconds").intValue()).isEqualTo(60);
        assertThat(shown.path("allowed_keys").toString()).isEqualTo("[\"+5511987654321\",\"maria@example.com\"]");
        assertThat(shown.path("allowed_documents").toString()).isEqualTo("[\"52998224725\"]");

        gateway.admin()
                .put(one + "/guard", "{\"mode\":\"test\",\"amount_max\":\"7.00\"}")
                .expect(200);
        JsonNode replaced = gateway.admin().get(one + "/guard").expect(200).json();
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

        gateway.admin()
                .put(one + "/guard", "{\"mode\":\"test\",\"amount_max\":\"7.00\"}")
                .expect(200);

        // that of the tests; 4 s by default
        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    void aDamagedGuardCanBeSetAgain() {
        String guard = "{\"mode\":\"test\",\"day_max\":\"7.00\"}";
        gateway.admin().put(one + "/guard", guard).expect(200);
        try (MongoClient client = MongoClients.create(TestBrokers.mongodbUri(gateway.database()))) {
            Mono.from(client.getDatabase(gateway.database())
                            .getCollection(CollectionNames.GUARDS)
                            .updateMany(
                                    new Document("dayMax", 700L), new Document("$set", new Document("dayMax", "7"))))
                    .block(Duration.ofSeconds(60));
        }

        gateway.admin().put(one + "/guard", guard).expect(200);

        assertThat(gateway.admin().get(one + "/guard?mode=test").expect(200).text("day_max"))
                .isEqualTo("7.00");
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
                "\"count_max\":0,\"window_seconds\":60  | count_max",
                "\"count_max\":5                        | window_seconds",
                "\"window_seconds\":60                  | count_max",
                "\"count_max\":1.5,\"window_seconds\":1 | count_max",
                "\"count_max\":1,\"window_seconds\":0   | window_seconds",
                "\"approval_above\":0                 | approval_above",
                "\"funds_check\":\"no\"                 | funds_check",
                "\"allowed_keys\":[]                    | allowed_keys",
                "\"allowed_keys\":[\"nobody\"]          | allowed_keys",
                "\"allowed_keys\":\"maria@example.com\" | allowed_keys",
                "\"allowed_documents\":[\"12345678900\"]| allowed_documents"
            })
    void aFieldThatCannotHoldIsRefusedByItsName(String field, String name) {
        Answer refused = gateway.admin()
                .put(one + "/guard", "{\"mode\":\"test\"," + field + "}")
                .expectProblem(422, "validation_failed");

        assertThat(refused.json().at("/errors/0/field").stringValue()).isEqualTo(name);
        assertThat(refused.json().path("errors")).hasSize(1);
    }

    /** A check of funds would deny what the balance lacks only because the books are behind. */
    @Test
    void fundsAreCheckedOnlyIfTheBooksFollow() {
        TestTopics.create(Topics.EVENTS, 2);
        String books = "ligeiro-books";
        String guard = "{\"mode\":\"test\",\"funds_check\":true}";
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            long anHourAgo = gateway.clock().millis() - Duration.ofHours(1).toMillis();
            producer.send(new ProducerRecord<>(Topics.EVENTS, 0, anHourAgo, null, new byte[0]));
        }
        Answer refused = gateway.admin().put(one + "/guard", guard).expectProblem(422, "validation_failed");
        assertThat(refused.json().at("/errors/0/field").stringValue()).isEqualTo("funds_check");

        ConsumerGroups.passAll(books, Topics.EVENTS);
        assertThat(gateway.admin()
                        .put(one + "/guard", guard)
                        .expect(200)
                        .json()
                        .path("funds_check")
                        .booleanValue())
                .isTrue();
    }

    @Test
    void moreThanAThousandKeysAreRefused() {
        String many = "\"a@example.com\",".repeat(1_000) + "\"b@example.com\"";

        gateway.admin()
                .put(one + "/guard", "{\"mode\":\"test\",\"allowed_keys\":[" + many + "]}")
                .expectProblem(422, "validation_failed");
    }

    @Test
    void aFrozenMerchantCreatesAndReadsButRefundsNothing() {
        String paid = merchant.created(merchant.cashin());
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            stored.move(paid, Status.PAID);
        }

        JsonNode frozen = gateway.admin()
                .post(one + "/freeze", "{\"reason\":\"a stolen key\"}")
                .expect(200)
                .json();

        assertThat(frozen.path("frozen").booleanValue()).isTrue();
        assertThat(frozen.at("/since/reason").stringValue()).isEqualTo("a stolen key");
        merchant.api().post(ONE + paid + "/refund", "{}").expectProblem(409, "merchant_frozen");
        merchant.api().post(CASHIN, merchant.cashin()).expect(201);
        merchant.api().post(CASHOUT, merchant.cashout()).expect(201);
        merchant.api().get(ONE + paid).expect(200);
        assertThat(gateway.admin().get(STOP).expect(200).json().path("frozen").toString())
                .contains(merchant.id());

        gateway.admin()
                .post(one + "/unfreeze", "{\"reason\":\"the key is revoked\"}")
                .expect(200);
        merchant.api().post(ONE + paid + "/refund", "{}").expect(202);
        assertThat(gateway.admin()
                        .get("/admin/audit?merchant=" + merchant.id())
                        .expect(200)
                        .body())
                .contains("/freeze", "/unfreeze", "a stolen key", "the key is revoked");
    }

    @Test
    void aFreezeIsNoticedByOtherGateways() {
        String paid = merchant.created(merchant.cashin());
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            stored.move(paid, Status.PAID);
        }
        try (RunningGateway other = RunningGateway.startOn(gateway.database(), TestClock.ticking())) {
            gateway.admin()
                    .post(one + "/freeze", "{\"reason\":\"a stolen key\"}")
                    .expect(200);

            await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> other.api()
                    .withToken(merchant.key())
                    .post(ONE + paid + "/refund", "{\"amount\":1}")
                    .expectProblem(409, "merchant_frozen"));
        }
    }

    @Test
    void stopsOfCashoutsAreListedUntilTheyAreResumed() {
        String of = "\"merchant\":\"" + merchant.id() + "\",\"rail\":\"simulator\",\"reason\":\"a test\"";

        gateway.admin().put(STOP, "{\"stopped\":true," + of + "}").expect(200);
        gateway.admin().put(STOP, "{\"stopped\":true," + of + "}").expect(200);
        JsonNode stops = gateway.admin().get(STOP).expect(200).json().path("stops");

        assertThat(stops)
                .filteredOn(stop -> stop.path("merchant").asString("").equals(merchant.id())
                        && stop.path("mode").isNull())
                .hasSize(1)
                .allSatisfy(stop -> assertThat(stop.path("rail").stringValue()).isEqualTo("simulator"));
        assertThat(gateway.admin()
                        .put(STOP, "{\"stopped\":false," + of + "}")
                        .expect(200)
                        .body())
                .doesNotContain(merchant.id() + "\",\"mode\":null");
    }

    /** A stop or a guard meanwhile changes nothing about it. */
    @Test
    void theLiveCashoutsOfANewMerchantAreStoppedUntilTheyAreOpened() {
        TestMerchant made = gateway.newMerchant();
        assertThat(stopsOf(made)).hasSize(1).allSatisfy(stop -> {
            assertThat(stop.path("mode").stringValue()).isEqualTo("live");
            assertThat(stop.path("rail").isNull()).isTrue();
            assertThat(stop.path("merchant_name").stringValue()).isEqualTo("Café do Zé");
        });
        gateway.admin()
                .put("/admin/merchants/" + made.id() + "/guard", "{\"mode\":\"live\",\"amount_max\":\"9.00\"}")
                .expect(200);
        gateway.admin().put(STOP, "{\"stopped\":false,\"reason\":\"all\"}").expect(200);
        assertThat(stopsOf(made)).hasSize(1);

        gateway.admin()
                .put(STOP, "{\"stopped\":false,\"merchant\":\"" + made.id() + "\",\"reason\":\"a contract\"}")
                .expect(200);

        assertThat(stopsOf(made)).isEmpty();
        assertThat(gateway.admin()
                        .get("/admin/merchants/" + made.id() + "/guard?mode=live")
                        .text("amount_max"))
                .isEqualTo("9.00");
    }

    private List<JsonNode> stopsOf(TestMerchant one) {
        return gateway.admin()
                .get(STOP)
                .expect(200)
                .json()
                .path("stops")
                .valueStream()
                .filter(stop -> stop.path("merchant").asString("").equals(one.id()))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"reason\":\"x\"                                   | stopped",
                "\"stopped\":true                                   | reason",
                "\"stopped\":\"yes\",\"reason\":\"x\"               | stopped",
                "\"stopped\":true,\"reason\":\"x\",\"rail\":\"none\"  | rail",
                "\"stopped\":true,\"reason\":\"x\",\"merchant\":\"7\" | merchant"
            })
    void aStopWithAFaultIsRefused(String fields, String name) {
        Answer refused = gateway.admin().put(STOP, "{" + fields + "}").expectProblem(422, "validation_failed");

        assertThat(refused.json().at("/errors/0/field").stringValue()).isEqualTo(name);
    }

    @Test
    void anUnknownMerchantIsNotFound() {
        String unknown = "/admin/merchants/" + UUID.randomUUID();

        gateway.admin().post(unknown + "/freeze", "{\"reason\":\"x\"}").expectProblem(404, "not_found");
        gateway.admin().put(unknown + "/guard", "{\"mode\":\"test\"}").expectProblem(404, "not_found");
        gateway.admin().get(unknown + "/guard").expectProblem(404, "not_found");
        gateway.admin()
                .put(STOP, "{\"stopped\":true,\"reason\":\"x\",\"merchant\":\"" + UUID.randomUUID() + "\"}")
                .expectProblem(422, "validation_failed");
    }
}
