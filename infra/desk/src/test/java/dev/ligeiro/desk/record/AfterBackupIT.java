package dev.ligeiro.desk.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Updates;
import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.kafka.core.KafkaTemplate;
import tools.jackson.databind.JsonNode;

/** The topics also have records of other tests: each test looks at its own transactions. */
@ExtendWith(SharedDesk.class)
class AfterBackupIT {

    private static final String LIST = "/admin/after-backup?since=";

    private final RunningDesk desk;
    private final KafkaTemplate<byte[], byte[]> producer;
    private final Stored stored;
    private final Instant since = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private int unreadable;

    AfterBackupIT(RunningDesk desk) {
        this.desk = desk;
        TestTopics.create(Topics.COMMANDS, 2);
        TestTopics.create(Topics.EVENTS, 2);
        this.producer = desk.kafka();
        this.stored = Stored.of(desk);
    }

    @Test
    void transactionsThatAreMissingOrOlderInMongodbAreListedInTheirLatestState() {
        Transaction created = Transactions.cashin(new Amount(1_000));
        Transaction paid = Transactions.cashin(new Amount(2_000)).moveTo(Status.PAID, since, Source.RAIL);
        Transaction older = Transactions.cashin(new Amount(3_000));
        Transaction same = Transactions.cashout(new Amount(4_000)).moveTo(Status.CANCELED, since, Source.MERCHANT);
        stored.insert(older);
        stored.insert(same);
        send(created);
        send(event(paid, 1), event(paid, 2));
        send(event(older.moveTo(Status.PAID, since, Source.RAIL), 2));
        send(event(same, 2));
        producer.flush();

        Map<String, JsonNode> listed = all();

        assertThat(of(listed, created).path("status").asString()).isEqualTo("pending");
        assertThat(of(listed, created).path("stored_status").isNull()).isTrue();
        JsonNode missing = of(listed, paid);
        assertThat(missing.path("status").asString()).isEqualTo("paid");
        assertThat(missing.path("amount").asString()).isEqualTo("20.00");
        assertThat(missing.path("end_to_end_id").asString()).isEqualTo(paid.endToEndId());
        assertThat(missing.path("webhook_id").asString()).isEqualTo(new EventId(paid.id(), 2).toString());
        JsonNode behind = of(listed, older);
        assertThat(behind.path("stored_status").asString()).isEqualTo("pending");
        assertThat(behind.path("sequence").asInt()).isEqualTo(2);
        assertThat(behind.path("stored_sequence").asInt()).isEqualTo(1);
        assertThat(listed).doesNotContainKey(id(same));
        assertThat(missing.toString()).doesNotContain("Zoë").doesNotContain(Transactions.PAYER.document());
    }

    @Test
    void pagesFollowEachOtherAndUnreadableRecordsAreCounted() {
        List<Transaction> created = IntStream.range(0, AfterBackupController.RECORDS_MAX + 1)
                .mapToObj(i -> Transactions.cashin(new Amount(100)))
                .toList();
        created.forEach(this::send);
        producer.send(new ProducerRecord<>(Topics.EVENTS, "x".getBytes(UTF_8), "{".getBytes(UTF_8)));
        producer.send(new ProducerRecord<>(Topics.EVENTS, "x".getBytes(UTF_8), null));
        producer.flush();

        assertThat(all()).containsKeys(created.stream().map(AfterBackupIT::id).toArray(String[]::new));
        assertThat(unreadable).isGreaterThanOrEqualTo(2);
        assertThat(page(LIST + Instant.now().plusSeconds(60)).toString())
                .isEqualTo(
                        "{\"transactions\":[],\"records\":0,\"unreadable\":0,\"next_cursor\":\"transaction-events\"}");
    }

    /** An operator books the missing ones by hand. */
    @Test
    void oneThatCannotBeDecodedIsNotTakenForAMissingOne() {
        Transaction damaged = Transactions.cashin(new Amount(5_000));
        stored.insert(damaged);
        stored.distort(damaged, Updates.set(TransactionFields.RAIL_CALLS, "lost"));
        send(damaged);
        producer.flush();

        desk.admin().get(LIST + since).expect(500);
    }

    @Test
    void aTimeIsRequired() {
        assertThat(desk.admin()
                        .get("/admin/after-backup?after=1-2")
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly("since:required");
        assertThat(desk.admin()
                        .get(LIST + since + "&after=1-2")
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly("after:invalid");
        assertThat(desk.admin()
                        .get(LIST + "yesterday")
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly("since:invalid");
    }

    /** The listed transactions by id, the latest state of each. */
    private Map<String, JsonNode> all() {
        Map<String, JsonNode> listed = new HashMap<>();
        String cursor = "";
        do {
            JsonNode page = page(LIST + since + cursor);
            page.path("transactions")
                    .forEach(each -> listed.merge(
                            each.path("id").asString(),
                            each,
                            (one, other) -> one.path("sequence").asInt()
                                            > other.path("sequence").asInt()
                                    ? one
                                    : other));
            unreadable += page.path("unreadable").asInt();
            JsonNode next = page.path("next_cursor");
            cursor = next.isNull() ? "" : "&after=" + next.asString();
        } while (!cursor.isEmpty());
        return listed;
    }

    private JsonNode page(String path) {
        return desk.admin().get(path).expect(200).json();
    }

    private void send(Transaction created) {
        producer.send(new ProducerRecord<>(
                Topics.COMMANDS,
                id(created).getBytes(UTF_8),
                MessageJson.write(new TransactionCommand.Process(created))));
    }

    private void send(TransactionEvent... events) {
        for (TransactionEvent event : events) {
            byte[] key = event.id().transactionId().toString().getBytes(UTF_8);
            producer.send(new ProducerRecord<>(Topics.EVENTS, key, MessageJson.write(event)));
        }
    }

    private static TransactionEvent event(Transaction transaction, int sequence) {
        return TransactionEvent.of(transaction, sequence);
    }

    private static JsonNode of(Map<String, JsonNode> listed, Transaction transaction) {
        return Objects.requireNonNull(listed.get(id(transaction)), "not listed");
    }

    private static String id(Transaction transaction) {
        return transaction.id().toString();
    }
}
