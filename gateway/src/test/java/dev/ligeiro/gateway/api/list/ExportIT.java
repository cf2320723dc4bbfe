package dev.ligeiro.gateway.api.list;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Updates;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.RawConnection;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TestMerchant.NewKey;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** 3,000 transactions of one merchant are 3 MB of CSV: more than the buffers between the gateway and a client that reads nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExportIT extends WithGateway {

    static final String PATH = "/api/v1/transactions.csv";

    private static final int ROWS = 3_000;
    private static final Instant FIRST_AT = Instant.parse("2026-03-10T14:30:15Z");

    private final List<String> ids;

    ExportIT() {
        this.ids = insert(merchant, ROWS).stream()
                .map(each -> each.id().toString())
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    @Test
    void anExportSaysFromWhenItIsComplete() {
        TestMerchant owner = gateway.newMerchant();
        YearMonth month = YearMonth.of(2019, 11);
        gateway.archived(month, List.of(RunningGateway.counts(month, owner.tenant(), 0, new Document())));
        owner.created(owner.cashin());

        Answer all = owner.api().get(PATH).expect(200);

        assertThat(all.header("Complete-From")).isEqualTo("2019-11-30 21:00:00");
        assertThat(all.body().lines()).hasSize(2);
        assertThat(owner.api()
                        .get(PATH + "?initial_date=2019-12-01")
                        .expect(200)
                        .header("Complete-From"))
                .isEmpty();
    }

    /** All are older than the transactions that the API creates. */
    private List<Transaction> insert(TestMerchant owner, int count) {
        return insert(owner, count, FIRST_AT);
    }

    private List<Transaction> insert(TestMerchant owner, int count, Instant firstAt) {
        Transaction like = stored.find(owner.created(owner.cashin().put("reference", "newest")));
        List<Transaction> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(Transactions.like(like)
                    .createdAs(TransactionId.at(firstAt.plusMillis(i)))
                    .reference(null)
                    .description("x".repeat(800))
                    .accepted(true)
                    .build());
        }
        stored.insert(all);
        all.add(like);
        return all;
    }

    @Test
    void aRowHasTheFieldsOfTheTransaction() {
        TestMerchant owner = gateway.newMerchant();
        List<String> texts = List.of(
                "=cmd|' /C calc'!A0",
                "\"quoted\", comma",
                "line\r\nbreak\nand; semicolon",
                "é 日本 😀",
                " spaces ",
                "#comment",
                "a;=1+1",
                "'",
                "\"",
                ",");
        texts.forEach(
                text -> owner.created(owner.cashin().put("extra", text).put("reference", "r" + texts.indexOf(text))));
        owner.api()
                .post(CASHOUT, owner.cashout().put("pix_key", "+5511987654321").put("key_type", "PHONE"))
                .expect(201);

        Answer csv = owner.api().get(PATH).expect(200);

        assertThat(csv.header("Content-Type")).isEqualTo("text/csv; charset=utf-8; header=present");
        assertThat(csv.header("Content-Disposition")).isEqualTo("attachment; filename=\"transactions.csv\"");
        assertThat(csv.header("Cache-Control")).isEqualTo("no-store");
        List<Map<String, String>> rows = CsvReader.read(csv.body().getBytes(UTF_8));
        JsonNode listed = owner.api().get(ALL).expect(200).json().path("transactions");
        assertThat(rows).hasSize(listed.size());
        for (int i = 0; i < rows.size(); i++) {
            assertSame(rows.get(i), listed.path(i));
        }
        assertThat(rows.get(0)).containsEntry("pix_key", "+5511987654321").containsEntry("phone", "+5511987654321");
    }

    private static void assertSame(Map<String, String> row, JsonNode transaction) {
        row.forEach((name, cell) -> {
            switch (name) {
                case "net_amount", "paid" -> assertThat(transaction.has(name)).isFalse();
                case "refunded_amount" -> assertThat(cell).isEqualTo("0.00");
                case "extra" ->
                    assertThat(cell)
                            .isEqualTo(CsvLines.cell(transaction.path(name).asString()));
                default ->
                    assertThat(cell).as(name).isEqualTo(transaction.path(name).asString(""));
            }
        });
    }

    @Test
    void eachTransactionOfTheStartComesOnceWhileOthersAreCreated() {
        TestMerchant owner = gateway.newMerchant();
        List<String> ofTheStart = insert(owner, 900).stream()
                .map(each -> each.id().toString())
                .sorted(Comparator.reverseOrder())
                .toList();
        try (RawConnection reader = open(gateway, owner, "")) {
            byte[] first = reader.readChunks(1_000);
            IntStream.range(0, 5).forEach(i -> owner.created(owner.cashin()));

            assertThat(exportedIds(joined(first, rest(reader)))).isEqualTo(ofTheStart);
        }
    }

    /** The gateway reads no more than what fits into the buffers. Meanwhile it holds no slot of the lists: a merchant has two. */
    @Tag("nightly")
    @Test
    void clientsThatStopReadingGetEverythingLater() {
        double before = gateway.metric("ligeiro_gateway_exported_transactions_total ");
        try (RawConnection one = open(gateway, merchant, "");
                RawConnection two = open(gateway, merchant, "?final_date=2026-03-10")) {
            byte[] first = one.readChunks(64 * 1024);
            await().until(() -> gateway.metric("ligeiro_gateway_exported_transactions_total ") - before >= 600);
            await().pollInterval(Duration.ofMillis(200))
                    .until(
                            () -> gateway.metric("ligeiro_gateway_exported_transactions_total "),
                            new Unchanged()::sameAsBefore);

            assertThat(gateway.metric("ligeiro_gateway_exported_transactions_total ") - before)
                    .isBetween(600.0, 3_000.0);
            assertThat(gateway.metric("ligeiro_gateway_exports ")).isEqualTo(2);
            merchant.api().get(ALL).expect(200);
            Answer third = merchant.api().get(PATH).expectProblem(429, "rate_limited");
            assertThat(third.header("Retry-After")).isEqualTo("30");
            assertThat(third.header("Content-Disposition")).isEmpty();
            gateway.newMerchant().api().get(PATH).expect(200);

            assertThat(exportedIds(joined(first, rest(one)))).isEqualTo(ids);
            assertThat(exportedIds(rest(two))).isEqualTo(ids.subList(1, ids.size()));
        }
    }

    @Test
    void aDisconnectEndsTheExport() {
        TestMerchant owner = gateway.newMerchant();
        insert(owner, ROWS);
        double before = gateway.metric("ligeiro_gateway_exported_transactions_total ");
        open(gateway, owner, "").close();

        await().until(() -> gateway.metric("ligeiro_gateway_exports ") == 0);
        assertThat(gateway.metric("ligeiro_gateway_exported_transactions_total ") - before)
                .isLessThan(ROWS);
        owner.api().get(PATH).expect(200);
    }

    @Test
    void anExportEndsWhenItsKeyIsRevoked() {
        TestMerchant owner = gateway.newMerchant();
        insert(owner, ROWS);
        NewKey key = owner.newKey();
        try (CapturedLogs logs = new CapturedLogs();
                RawConnection reader = open(gateway, owner.withKey(key.key()), "")) {
            reader.readChunks(1_000);

            owner.revoke(key.id());

            assertThatThrownBy(() -> rest(reader)).isInstanceOf(UncheckedIOException.class);
            await().untilAsserted(() -> assertThat(logs.lines())
                    .filteredOn(line -> line.contains("event.action=\"export_ended\""))
                    .singleElement(as(InstanceOfAssertFactories.STRING))
                    .contains("key_id=\"" + key.id() + "\"", "complete=\"false\""));
        }
    }

    /** The transaction in the middle cannot be read. The file has all others, and must not look complete. */
    @Test
    void anExportThatLeavesATransactionOutIsResetAtItsEnd() {
        TestMerchant owner = gateway.newMerchant();
        List<Transaction> all = insert(owner, 900);
        double before = gateway.metric("ligeiro_gateway_exported_transactions_total ");
        stored.distort(all.get(450), Updates.set(TransactionFields.STATUS, "new"));
        stored.distort(all.get(450), Updates.unset(TransactionFields.PAYER));
        try (CapturedLogs logs = new CapturedLogs();
                RawConnection reader = open(gateway, owner, "")) {
            assertThatThrownBy(() -> rest(reader)).hasMessageContaining("reset");
            await().until(() ->
                    gateway.metric("ligeiro_gateway_exported_transactions_total ") - before == all.size() - 1);
            assertThatThrownBy(() -> owner.api().get(PATH)).hasRootCauseInstanceOf(IOException.class);
            assertThat(logs.errors())
                    .singleElement()
                    .asString()
                    .contains("document_undecodable", all.get(450).id().toString());
        }
        await().until(() -> gateway.metric("ligeiro_gateway_exports ") == 0);
    }

    @Test
    void anExportThatReachesAMonthWhichWasArchivedMeanwhileIsReset() {
        TestMerchant owner = gateway.newMerchant();
        YearMonth month = YearMonth.of(2019, 5);
        insert(owner, ROWS, Instant.parse("2019-05-10T12:00:00Z"));
        try (RawConnection reader = open(gateway, owner, "")) {
            reader.readChunks(1_000);

            gateway.archived(month, List.of(RunningGateway.counts(month, owner.tenant(), 0, new Document())));

            assertThatThrownBy(() -> rest(reader)).hasMessageContaining("reset");
        }
    }

    /** While the gateway still takes requests, exports begin and run on. The stop does not wait for them after that time. */
    @Tag("nightly")
    @Test
    void aStopResetsAnExportAfterTheDrain() {
        TestMerchant other = gateway.newMerchant();
        other.created(other.cashin());
        RunningGateway stopping =
                RunningGateway.startOn(gateway.database(), gateway.clock(), "ligeiro.http.drain-time=10s");
        try (CapturedLogs logs = new CapturedLogs();
                RawConnection reader = open(stopping, merchant, "")) {
            CompletableFuture<Void> stop = CompletableFuture.runAsync(stopping::close);
            await().until(() ->
                    stopping.management().get("/actuator/health/readiness").status() == 503);

            assertThat(reader.readChunks(1_500_000)).hasSizeGreaterThanOrEqualTo(1_500_000);
            Answer small = stopping.api().withToken(other.key()).get(PATH).expect(200);
            assertThat(exportedIds(small.body().getBytes(UTF_8))).hasSize(1);
            assertThat(stop).as("the drain is not over").isNotDone();

            // the server would wait for it for 15 s after the drain
            assertThat(stop).succeedsWithin(Duration.ofSeconds(14));
            assertThatThrownBy(() -> rest(reader)).hasMessageContaining("reset");
            assertThat(logs.lines())
                    .filteredOn(line -> line.contains("export_failed"))
                    .hasSize(1);
            assertThat(logs.errors()).isEmpty();
        } finally {
            stopping.close();
        }
    }

    @Test
    void filtersAreThoseOfTheList() {
        stored.move(ids.get(0), Status.PAID);
        for (String query : List.of(
                "?status=paid",
                "?identifier=" + ids.get(7),
                "?reference=newest",
                "?status=pending&name_document=conceicao&initial_date=2026-03-11",
                "?platform=" + merchant.platform() + "&initial_date=2026-03-11",
                "?phone=21999999999")) {
            List<String> listed = new ArrayList<>();
            merchant.api()
                    .get(ALL + query)
                    .expect(200)
                    .json()
                    .path("transactions")
                    .forEach(each -> listed.add(each.path("id").stringValue()));
            byte[] csv = merchant.api().get(PATH + query).expect(200).body().getBytes(UTF_8);
            assertThat(exportedIds(csv)).as(query).isEqualTo(listed);
        }
    }

    /** A client that reads as slowly as a test wants, after the head. */
    private static RawConnection open(RunningGateway called, TestMerchant merchant, String query) {
        RawConnection reader = new RawConnection(called.port(), 16 * 1024);
        reader.send("GET " + PATH + query + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + merchant.key()
                + "\r\n\r\n");
        reader.readHead();
        return reader;
    }

    private static byte[] rest(RawConnection reader) {
        return reader.readChunks(Integer.MAX_VALUE);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    private static List<String> exportedIds(byte[] csv) {
        return CsvReader.read(csv).stream().map(row -> row.get("id")).toList();
    }

    /** Compares a value with the one of the call before. */
    private static final class Unchanged {

        private double last = -1;

        boolean sameAsBefore(double value) {
            boolean same = value == last;
            last = value;
            return same;
        }
    }
}
