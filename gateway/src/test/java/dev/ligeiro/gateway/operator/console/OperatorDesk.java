package dev.ligeiro.gateway.operator.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ligeiro.gateway.fixture.PlayedProcessor;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.Topics;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.BreakKind;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.support.kafka.DeadLetterHeaders;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.bson.Document;

/** A gateway with three operators, a merchant, and something open of every kind. */
final class OperatorDesk implements AutoCloseable {

    /** Has the roles read and money. */
    static final String ANA = "ana-token-of-the-tests";
    /** Has all roles. */
    static final String BRUNO = "bruno-token-of-the-tests";
    /** Only reads. */
    static final String CARLA = "carla-token-of-the-tests";

    static final String NAME = "Café do Zé <b>\"& Filhos\"</b> ltda";
    static final String END_TO_END_ID = "E9999900420260310120000000000001";

    private static final HttpClient BROWSER =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build();

    final RunningGateway gateway;
    final TransactionDocuments stored;
    final TestMerchant merchant;
    final String paid;
    final String waiting;
    final String unknown;
    /** Has two refunds without an outcome, of R$ 50.00 and R$ 7.50. */
    final String refunding;

    private final PlayedProcessor processor;

    OperatorDesk() {
        gateway = RunningGateway.start(
                "ligeiro.runbooks-url=https://wiki.example.com/runbooks",
                "ligeiro.admin.tokens.ana=" + ANA,
                "ligeiro.admin.roles.ana=read,money",
                "ligeiro.admin.tokens.bruno=" + BRUNO,
                "ligeiro.admin.roles.bruno=read,operate,money",
                "ligeiro.admin.tokens.carla=" + CARLA,
                "ligeiro.admin.roles.carla=read",
                "ligeiro.webhook.allowed-networks=127.0.0.0/8");
        stored = new TransactionDocuments(gateway.database());
        processor = new PlayedProcessor(gateway);
        merchant = TestMerchant.on(
                gateway,
                "{\"name\":\"" + NAME.replace("\"", "\\\"")
                        + "\",\"fees\":{\"cashin\":{\"percent\":\"1.25\",\"fixed\":\"0.10\"}}}");
        admin().put(
                        "/admin/merchants/" + merchant.id() + "/guard",
                        "{\"mode\":\"test\",\"amount_max\":\"900.00\",\"count_max\":5,\"window_seconds\":60}")
                .expect(200);
        merchant.api()
                .post("/api/v1/webhooks", "{\"url\":\"http://127.0.0.1:9/hooks/a-very-long-path-of-a-merchant\"}")
                .expect(201);
        paid = merchant.created(merchant.cashin().put("reference", "order-4711"));
        stored.move(paid, Status.PAID);
        waiting = processor.waiting(cashout());
        unknown = cashout();
        Instant since = now().minus(Duration.ofHours(30));
        stored.replace(stored.find(unknown)
                .accept()
                .moveTo(Status.IN_PROCESS, since, Source.SYSTEM)
                .with(RailCall.first(null, since, since.plusSeconds(10))));
        refunding = refunding(now().minus(Duration.ofDays(2)));
        insertBreak();
        insertUnmatched("bank", END_TO_END_ID);
        insertProcessor();
        writeDeadLetter(paid);
    }

    Api admin() {
        return gateway.admin();
    }

    String url() {
        return admin().baseUrl();
    }

    private String cashout() {
        return merchant.api()
                .post(TestMerchant.CASHOUT, merchant.cashout())
                .expect(201)
                .transactionId();
    }

    private String refunding(Instant asked) {
        String id = merchant.created(merchant.cashin());
        stored.move(id, Status.PAID);
        for (long cents : new long[] {50_00, 7_50}) {
            RefundId refund = new RefundId(UUID.randomUUID());
            Entry requested =
                    new Entry.RefundRequested(refund, new Amount(cents), Source.MERCHANT, null, null, asked, null);
            stored.replace(stored.append(id, requested).with(RailCall.first(refund, asked, asked.plusSeconds(10))));
        }
        return id;
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    /** An open break; its id. */
    String insertBreak() {
        UUID id = UUID.randomUUID();
        stored.insert(
                CollectionNames.BREAKS,
                new Document(BreakFields.ID, id)
                        .append(BreakFields.RAIL, "bank")
                        .append(BreakFields.DAY, "2026-11-26")
                        .append(BreakFields.KIND, BreakKind.MISSING_HERE.code())
                        .append(BreakFields.RAIL_ID, END_TO_END_ID)
                        .append(BreakFields.THEIRS, 123_456L)
                        .append(BreakFields.SINCE, Date.from(now().minus(Duration.ofHours(5))))
                        .append(BreakFields.OPEN, true));
        return id.toString();
    }

    void insertUnmatched(String rail, String endToEndId) {
        stored.insert(
                CollectionNames.UNMATCHED_PAYMENTS,
                new Document(UnmatchedPaymentFields.ID, rail + "/" + endToEndId)
                        .append(UnmatchedPaymentFields.RAIL, rail)
                        .append(UnmatchedPaymentFields.END_TO_END_ID, endToEndId)
                        .append(UnmatchedPaymentFields.TRANSACTION_ID, id(paid).value())
                        .append(UnmatchedPaymentFields.AMOUNT, 15_075L)
                        .append(UnmatchedPaymentFields.REASON, "paid_twice")
                        .append(UnmatchedPaymentFields.AT, Date.from(now().minus(Duration.ofMinutes(50)))));
    }

    private void insertProcessor() {
        stored.insert(
                CollectionNames.INSTANCES,
                new Document("_id", UUID.randomUUID())
                        .append("service", "processor")
                        .append("version", "0.1.0-SNAPSHOT")
                        .append("host", "machine-2.example")
                        .append("pid", 4711L)
                        .append("startedAt", Date.from(now().minus(Duration.ofHours(50))))
                        // in the future, so that the tests' processor goes on running
                        .append("seenAt", Date.from(now().plus(Duration.ofHours(1))))
                        .append(
                                "figures",
                                List.of(
                                        figure("ligeiro.rail.unknown.oldest", "rail", "bank", 108_000),
                                        figure("ligeiro.rail.breakers.open", "rail", "bank", 2),
                                        figure("ligeiro.rail.breakers.open", "rail", "simulator", 0),
                                        figure("ligeiro.rail.locations.level", "rail", "bank", 0.93),
                                        figure("ligeiro.rail.token.age", "rail", "bank", 600),
                                        figure("ligeiro.rail.catch.up.age", "rail", "bank", 42),
                                        figure("ligeiro.breaks.open.oldest", "rail", "bank", 18_000),
                                        figure("ssl.chain.expiry", "bundle", "bank", 864_000),
                                        figure("ligeiro.clock.ahead", "none", "none", 0.2),
                                        figure("process.cpu.usage", "none", "none", 0.31),
                                        figure("jvm.memory.used", "id", "old", 100_000_000),
                                        figure("jvm.memory.max", "id", "old", 500_000_000))));
    }

    private static Document figure(String name, String tag, String value, double figure) {
        return new Document("name", name)
                .append("tags", new Document(tag, value))
                .append("value", figure);
    }

    private static void writeDeadLetter(String transaction) {
        List.of(Topics.COMMANDS, Topics.EVENTS).forEach(topic -> {
            TestTopics.create(topic, 2);
            TestTopics.create(Topics.deadLetter(topic), 1);
        });
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                    Topics.deadLetter(Topics.COMMANDS), transaction.getBytes(UTF_8), "{}".getBytes(UTF_8));
            record.headers().add(DeadLetterHeaders.REASON, "invalid_message".getBytes(UTF_8));
            producer.send(record).get();
        } catch (InterruptedException | ExecutionException failure) {
            throw new IllegalStateException(failure);
        }
    }

    static TransactionId id(String text) {
        return TransactionId.parse(text).orElseThrow();
    }

    /** Signs in and gives the cookie. */
    String signIn(String token) {
        HttpResponse<String> response = post("/console/sign-in", "", url(), Map.of("token", token));
        return response.headers().firstValue("Set-Cookie").orElse("").split(";")[0];
    }

    /** What the form of a page has in a hidden field. */
    String hidden(String path, String cookie, String field) {
        Matcher found = Pattern.compile("<input type=\"hidden\" name=\"" + field + "\" value=\"([^\"]*)\"")
                .matcher(get(path, cookie).body());
        if (!found.find()) {
            throw new AssertionError(path + " has no field " + field);
        }
        return found.group(1);
    }

    HttpResponse<String> get(String path, String cookie) {
        return send(HttpRequest.newBuilder(URI.create(url() + path)).header("Cookie", cookie));
    }

    /** As an open page asks for its parts. */
    HttpResponse<String> getByPage(String path, String cookie) {
        return send(HttpRequest.newBuilder(URI.create(url() + path))
                .header("Cookie", cookie)
                .header("HX-Request", "true"));
    }

    /** @param origin {@code ""} for none */
    HttpResponse<String> post(String path, String cookie, String origin, Map<String, String> form) {
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path))
                .header("Cookie", cookie)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return send(origin.isEmpty() ? request : request.header("Origin", origin));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return BROWSER.send(
                    request.header("Accept-Language", "en")
                            .timeout(Duration.ofSeconds(60))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        processor.close();
        stored.close();
        gateway.close();
    }
}
