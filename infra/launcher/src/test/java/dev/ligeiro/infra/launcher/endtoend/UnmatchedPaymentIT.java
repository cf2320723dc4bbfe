package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Reports of payments in the rail's name, sent to Kafka as the processor's door for notifications does. None of them is true. */
@Order(5)
class UnmatchedPaymentIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    /** A command is processed within 0.2 s. */
    private static final Duration SEEN_AGAIN = Duration.ofSeconds(1);

    private final EndToEndMerchant merchant = SharedSystem.running().newMerchant();
    private final DemoEnv environment = SharedSystem.running().environment();
    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", environment.kafkaBootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());

    @AfterEach
    void close() {
        producer.close();
    }

    @Test
    void aReportThatNamesNoTransactionIsListedOnceHoweverOftenItComes() {
        TransactionId unknown = TransactionId.at(Instant.now());
        String endToEndId = "E-" + unknown;

        report(unknown, endToEndId, 1_000);
        report(unknown, endToEndId, 1_000);
        await().atMost(SOON).until(() -> !unmatched(unknown).isEmpty());
        report(unknown, endToEndId, 1_000);

        await().atMost(SOON).during(SEEN_AGAIN).until(() -> unmatched(unknown).size() == 1);
        assertThat(unmatched(unknown)).singleElement().satisfies(payment -> {
            assertThat(payment.path("rail").asString()).isEqualTo("simulator");
            assertThat(payment.path("end_to_end_id").asString()).isEqualTo(endToEndId);
            assertThat(payment.path("amount").asString()).isEqualTo("10.00");
            assertThat(payment.path("reason").asString()).isEqualTo("unknown_transaction");
        });
    }

    /** The rail is asked, and does not know of the payment. */
    @Test
    void aReportOfAnotherAmountOrOfACanceledChargeChangesNothing() {
        String pending = merchant.createCashin(merchant.cashin("10.00")).id();
        String canceled = merchant.createCashin(merchant.cashin("10.00")).id();
        merchant.api()
                .postNothing("/api/v1/transaction/" + canceled + "/cancel")
                .expectSuccess();
        await().atMost(SOON).until(() -> merchant.show(canceled).status().equals("canceled"));

        report(id(pending), "E-" + pending, 999);
        report(id(canceled), "E-" + canceled, 1_000);

        // the commands of a transaction are processed in their order
        merchant.pay(pending);
        await().atMost(SOON).until(() -> merchant.show(pending).status().equals("paid"));
        assertThat(merchant.show(pending).events()).containsExactly("paid", "pending");
        assertThat(merchant.show(canceled).events()).containsExactly("canceled", "pending");
        assertThat(unmatched(id(pending))).isEmpty();
    }

    private void report(TransactionId id, String endToEndId, long cents) {
        TransactionCommand notice = new TransactionCommand.RailNotice(id, "simulator", endToEndId, new Amount(cents));
        byte[] key = id.toString().getBytes(StandardCharsets.US_ASCII);
        producer.send(new ProducerRecord<>(Topics.COMMANDS, key, MessageJson.write(notice)));
        producer.flush();
    }

    private List<JsonNode> unmatched(TransactionId reported) {
        return AdminApi.of(environment)
                .api()
                .get("/admin/unmatched-payments")
                .expect(200)
                .json()
                .path("unmatched_payments")
                .valueStream()
                .filter(payment -> payment.path("transaction_id").asString().equals(reported.toString()))
                .toList();
    }

    private static TransactionId id(String text) {
        return TransactionId.parse(text).orElseThrow();
    }
}
