package dev.ligeiro.gateway.operator.admin;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs {@code infra/admin}, the operator's command, against a gateway. */
@ExtendWith(SharedGateway.class)
class AdminCommandIT {

    private static final Path COMMAND = Path.of("..", "infra", "admin").toAbsolutePath();
    private static final JsonMapper JSON = new JsonMapper();

    private final RunningGateway gateway;

    @TempDir
    @Nullable
    Path home;

    AdminCommandIT(RunningGateway gateway) {
        this.gateway = gateway;
    }

    @Test
    void aMerchantGetsLimitsAPlatformAndAKeyThatIsRotatedAndRevoked() {
        String merchant = id("merchants", "make", "Loja", "--city", "Belém");
        json("merchants", "fees", merchant, "--cashin", "1.25%+0.10");
        JsonNode shown = json("merchants", "limits", merchant, "--cashout", "..500.00", "--writes", "7");
        String platform = json("platforms", "make", merchant, "web", "--mode", "live")
                .path("id")
                .asString();
        JsonNode key =
                json("keys", "make", merchant, "--mode", "test", "--name", "shop", "--scope", "transactions:read");
        JsonNode next = json("keys", "rotate", merchant, key.path("id").asString(), "--overlap", "1h");
        json("keys", "revoke", merchant, key.path("id").asString());

        assertThat(shown.path("city").asString()).isEqualTo("Belém");
        assertThat(shown.at("/fees/cashin/percent").asString()).isEqualTo("1.2500");
        assertThat(shown.at("/limits/cashout/amount_max").asString()).isEqualTo("500.00");
        gateway.api().withToken(key.path("key").asString()).get(ALL).expect(401);
        gateway.api().withToken(next.path("key").asString()).get(ALL).expect(200);
        assertThat(run("keys", "list", merchant).out())
                .contains("name                    shop")
                .contains("status                  revoked");
        assertThat(run("keys", "show", merchant, next.path("id").asString()).out())
                .contains("name                    shop")
                .contains("status                  active")
                .doesNotContain("sk_test_");
        assertThat(run("platforms", "show", merchant, platform).out())
                .isEqualTo("id                      " + platform + "\n"
                        + "name                    web\n"
                        + "mode                    live\n\n");
        assertThat(run("platforms", "show", merchant, key.path("id").asString()).err())
                .startsWith("infra/admin: 404 not_found");
        assertThat(run("merchants", "show", merchant).out()).contains("limits.writes_per_second 7");
        assertThat(run("platforms", "list", merchant).out()).contains("mode                    live");
        assertThat(run("audit", "--merchant", merchant).out())
                .contains("operator                admin")
                .contains("action                  POST /admin/merchants/{id}/keys/{key_id}/rotate");
    }

    @Test
    void theCommissionReturnsWithARefundIfTheOperatorSaysSo() {
        String merchant = id("merchants", "make", "Loja");

        JsonNode returns = json("merchants", "refunds", merchant, "--commission", "returns");
        JsonNode stays = json("merchants", "refunds", merchant, "--commission", "stays");

        assertThat(returns.path("commission_returns").booleanValue()).isTrue();
        assertThat(stays.path("commission_returns").booleanValue()).isFalse();
    }

    /** The processor that would do it does not run. */
    @Test
    void whileARebuildOfTheBooksRunsNoOtherBegins() {
        JsonNode first = json("books", "rebuild");

        assertThat(json("books", "rebuild")).isEqualTo(first);
        assertThat(json("books", "rebuilt")).isEqualTo(first);
        assertThat(first.path("postings_added").asInt()).isZero();
    }

    @Test
    void feesAndLimitsThatAreLeftOutStay() {
        String merchant = id("merchants", "make", "Loja");
        json("merchants", "fees", merchant, "--cashin", "1.25%+0.10", "--cashout", "0.50");
        json("merchants", "limits", merchant, "--cashin", "1.00..", "--cashout", "..500.00", "--reads", "100");

        json("merchants", "fees", merchant, "--cashin", "2%");
        JsonNode changed = json("merchants", "limits", merchant, "--reads", "200", "--writes", "7");
        assertThat(changed.path("fees"))
                .hasToString(
                        """
                {"cashin":{"percent":"2.0000","fixed":"0.00"},"cashout":{"percent":"0.0000","fixed":"0.50"}}""");
        assertThat(changed.path("limits"))
                .hasToString(
                        """
                {"cashin":{"amount_min":"1.00","amount_max":null},"cashout":{"amount_min":null,"amount_max":"500.00"},\
                "reads_per_second":200,"writes_per_second":7}""");

        json("merchants", "fees", merchant, "--cashin", "2%", "--replace");
        JsonNode replaced = json("merchants", "limits", merchant, "--reads", "200", "--replace");
        assertThat(replaced.path("fees"))
                .hasToString("""
                {"cashin":{"percent":"2.0000","fixed":"0.00"}}""");
        assertThat(replaced.path("limits"))
                .hasToString(
                        """
                {"cashin":{"amount_min":null,"amount_max":null},"cashout":{"amount_min":null,"amount_max":null},\
                "reads_per_second":200,"writes_per_second":null}""");
    }

    @Test
    void aGuardKeepsWhatIsLeftOutAndAFrozenMerchantIsListed() {
        String merchant = id("merchants", "make", "Loja");
        json(
                "guards",
                "set",
                merchant,
                "--mode",
                "test",
                "--day",
                "1000.00",
                "--count",
                "10/1h",
                "--approval-above",
                "500.00");
        JsonNode changed = json("guards", "set", merchant, "--mode", "test", "--key", "ana@example.com");
        JsonNode replaced = json("guards", "set", merchant, "--mode", "test", "--amount", "50.00", "--replace");
        JsonNode frozen = json("merchants", "freeze", merchant, "--reason", "a stolen key");

        assertThat(changed.path("day_max").asString()).isEqualTo("1000.00");
        assertThat(changed.path("approval_above").asString()).isEqualTo("500.00");
        assertThat(changed.path("window_seconds").asInt()).isEqualTo(3_600);
        assertThat(changed.path("allowed_keys").toString()).isEqualTo("[\"ana@example.com\"]");
        assertThat(replaced.path("day_max").isNull()).isTrue();
        assertThat(run("guards", "show", merchant).out()).contains("amount_max              50.00");
        assertThat(run("guards", "set", merchant, "--mode", "test", "--day", "0")
                        .err())
                .contains("day_max: expected an amount above 0");
        assertThat(frozen.path("frozen").asBoolean()).isTrue();
        assertThat(run("cashouts", "stop", "--merchant", merchant, "--reason", "a test")
                        .out())
                .contains("stopped                 cashouts", "stopped                 frozen", merchant);
        json("merchants", "unfreeze", merchant, "--reason", "over");
        run("cashouts", "resume", "--merchant", merchant, "--reason", "over");
        assertThat(run("cashouts", "stopped").out()).doesNotContain(merchant);
    }

    @Test
    void aKeyIsRestrictedToNetworks() {
        String merchant = id("merchants", "make", "Loja");
        JsonNode key = json("keys", "make", merchant, "--mode", "test", "--network", "203.0.113.0/24");

        gateway.api().withToken(key.path("key").asString()).get(ALL).expect(403);
        json("keys", "networks", merchant, key.path("id").asString(), "--network", "127.0.0.0/8", "--network", "::1");
        gateway.api().withToken(key.path("key").asString()).get(ALL).expect(200);
    }

    /** This gateway has no rail. LiveCashinIT stops one. */
    @Test
    void aStopNamesTheRailTheOperationAndTheReason() {
        assertThat(run("routes", "stop", "bank", "--operation", "cashin", "--reason", "denies all")
                        .err())
                .isEqualTo("infra/admin: 422 validation_failed: 1 field is invalid\n"
                        + "  rail: expected a rail of ligeiro.rails.routes\n");
        assertThat(run("routes", "resume", "bank", "--reason", "over").out()).isEmpty();
        assertThat(run("routes", "stopped").out()).isEmpty();
    }

    @Test
    void aListHasAllPages() {
        UUID merchant = UUID.randomUUID();
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            for (int i = 0; i <= AdminPage.ITEMS_MAX; i++) {
                stored.insert(
                        AuditEntry.COLLECTION,
                        new Document("_id", UuidV7.at(i))
                                .append("at", new Date())
                                .append("operator", "ana")
                                .append("action", "POST /x")
                                .append("path", "/x")
                                .append("requestId", "r")
                                .append("merchantId", merchant));
            }
        }

        Run listed = run("--json", "audit", "--merchant", merchant.toString());

        assertThat(listed.out().lines().distinct()).hasSize(AdminPage.ITEMS_MAX + 1);
    }

    @Test
    void anOutcomeThatHasJustBecomeUnknownIsListedWhenAskedFor() {
        Instant now = gateway.clock().instant().truncatedTo(ChronoUnit.MILLIS);
        Transaction unknown = Transactions.cashout(TransactionId.at(now), new Amount(10_00))
                .moveTo(Status.IN_PROCESS, now, Source.SYSTEM)
                .with(RailCall.first(null, now, now.plusSeconds(10)));
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            stored.insert(List.of(unknown));
        }

        assertThat(run("unsettled").out()).doesNotContain(unknown.id().toString());
        assertThat(run("unsettled", "--older-than", "0s").out())
                .contains(unknown.id().toString());
    }

    @Test
    void aDecisionIsProposedOnlyAfterAYes() {
        Instant at = Instant.now().minus(2, ChronoUnit.DAYS).truncatedTo(ChronoUnit.MILLIS);
        Transaction cashout = Transactions.cashout(TransactionId.at(at), new Amount(10_000))
                .moveTo(Status.IN_PROCESS, at, Source.SYSTEM)
                .with(RailCall.first(null, at, at));
        String id = cashout.id().toString();
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            stored.insert(List.of(cashout));
        }

        Run asked = run("resolve", "cashout", id, "--denied", "--reason", "ticket 1");
        assertThat(asked.status()).isNotZero();
        assertThat(asked.err()).contains("decision                denied").contains("not confirmed");
        JsonNode proposed = json("resolve", "cashout", id, "--denied", "--reason", "ticket 1", "--yes");
        String resolution = proposed.path("id").asString();
        assertThat(proposed.path("state").asString()).isEqualTo("proposed");
        assertThat(run("resolutions", "list", "--state", "proposed").out()).contains(resolution);
        assertThat(run("resolutions", "confirm", resolution, "--yes").err()).contains("second_operator_needed");
        assertThat(json("resolutions", "withdraw", resolution, "--reason", "wrong")
                        .path("state")
                        .asString())
                .isEqualTo("withdrawn");
        assertThat(run("resolutions", "show", resolution).out()).contains("decided_by              admin");
    }

    @Test
    void aBreakIsClosed() {
        UUID id = UUID.randomUUID();
        String rail = "bank-" + id.toString().substring(0, 8);
        Document open = new Document(BreakFields.ID, id)
                .append(BreakFields.RAIL, rail)
                .append(BreakFields.DAY, "2026-11-27")
                .append(BreakFields.KIND, "missing_there")
                .append(BreakFields.RAIL_ID, "E1")
                .append(BreakFields.OURS, 700L)
                .append(BreakFields.SINCE, new Date())
                .append(BreakFields.OPEN, true);
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            stored.insert(CollectionNames.BREAKS, open);

            assertThat(run("breaks", "--rail", rail).out()).contains("our_amount              7.00");
            assertThat(run("breaks", "--rail", rail, "--kind", "amount").out()).isEmpty();
            JsonNode closed = json("breaks", "close", id.toString(), "--reason", "a test payment");

            assertThat(closed.path("reason").asString()).isEqualTo("a test payment");
            assertThat(run("breaks", "--rail", rail).out()).isEmpty();
            assertThat(run("breaks", "--rail", rail, "--closed").out()).contains(id.toString());
        }
    }

    @Test
    void aCashoutThatWaitsIsListedAndDecided() {
        Instant now = gateway.clock().instant().truncatedTo(ChronoUnit.MILLIS);
        Transaction waiting = Transactions.cashout(TransactionId.at(now), new Amount(10_00))
                .with(new Entry.StatusChanged(
                        Status.IN_ANALYSIS, now, Source.SYSTEM, Transaction.APPROVAL_REQUIRED, null, null));
        String id = waiting.id().toString();
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            stored.insert(List.of(waiting));

            assertThat(run("approvals").out()).contains(id, "amount                  10.00");
            assertThat(json("reject", id, "--reason", "no processor runs")
                            .path("status")
                            .asString())
                    .isEqualTo("in_analysis");
            stored.move(id, Status.CANCELED);
        }

        assertThat(run("approvals").out()).doesNotContain(id);
        assertThat(run("approve", id, "--reason", "too late").err()).contains("409 invalid_transition");
    }

    @Test
    void aRefusalNamesTheFields() {
        Run refused = run("merchants", "make", "日本");

        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .isEqualTo(
                        """
                infra/admin: 422 validation_failed: 1 field is invalid
                  name: expected Latin letters, which a BR Code can contain
                """);
    }

    @Test
    void theMessageOfAWrongFeeShowsFormsThatAreTaken() {
        Run refused = run("merchants", "fees", "any", "--cashin", "1,25%");

        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).endsWith("argument --cashin: 1,25% (expected: such as 1.25%+0.10, 1.25% or 0.10)\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "HTTP/1.0 200 OK\\n"
                        + "\\n"
                        + "<html>Welcome</html>              | URL has not answered with a JSON object: is it the"
                        + " management port of a gateway?",
                "HTTP/1.0 200 OK\\n"
                        + "\\n"
                        + "{\"status\":\"UP\"}                 | the response has no 'networks': is ADMIN_URL the"
                        + " management port of a gateway?",
                "HTTP/1.0 502 Bad Gateway\\n\\n[1]                      | status 502",
                "HTTP/1.0 502 Bad Gateway\\n\\n{\"code\":\"a\"}           | status 502",
                "HTTP/1.0 200 OK\\nContent-Length: 9\\n\\n{}           | URL has not answered in HTTP: IncompleteRead",
                "SSH-2.0-OpenSSH_9.2\\n                                 | URL has not answered in HTTP: BadStatusLine",
                "``                                                    | URL cannot be reached: Remote end closed"
                        + " connection without response",
            })
    void anotherServiceAtTheAddressIsOneLine(String answer, String message) throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> answer(other, answer));
            String url = "http://127.0.0.1:" + other.getLocalPort();

            Run refused = run(List.of("ADMIN_URL=" + url, "ADMIN_TOKEN=none"), "networks");

            answered.join();
            assertThat(refused.err().replace(url, "URL")).isEqualTo("infra/admin: " + message + "\n");
            assertThat(refused.status()).isEqualTo(1);
        }
    }

    private static void answer(ServerSocket server, String text) {
        try (Socket client = server.accept()) {
            client.getInputStream().read(new byte[4_096]);
            client.getOutputStream().write(text.replace("\\n", "\r\n").getBytes(UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:9091", "localhost", "//localhost:9091", "file:///tmp", "http://", "http://[::1"})
    void anAddressThatIsNoHttpUrlIsOneLine(String url) {
        Run refused = run(List.of("ADMIN_URL=" + url, "ADMIN_TOKEN=none"), "networks");

        assertThat(refused.err())
                .isEqualTo("infra/admin: ADMIN_URL: " + url + " (expected: such as http://localhost:8081)\n");
        assertThat(refused.status()).isEqualTo(1);
    }

    /** Port 0 is never open. */
    @Test
    void anAddressMayBeOfIpv6() {
        assertThat(run(List.of("ADMIN_URL=http://[::1]:0", "ADMIN_TOKEN=none"), "networks")
                        .err())
                .startsWith("infra/admin: http://[::1]:0 cannot be reached: ");
    }

    @Test
    void theAddressIsThatOfInfraRun() throws IOException {
        Files.writeString(
                home().resolve("demo.env"),
                "ADMIN_URL=" + gateway.admin().baseUrl() + "\nADMIN_TOKEN=\"" + RunningGateway.ADMIN_TOKEN + "\"\n");

        assertThat(run(List.of(), "--home", home().toString(), "networks").status())
                .isZero();
        Run lost = run(List.of(), "--home", home().resolve("none").toString(), "networks");
        assertThat(lost.status()).isEqualTo(1);
        assertThat(lost.err()).contains("set ADMIN_URL and ADMIN_TOKEN");

        Path env = Files.writeString(home().resolve("demo.env"), "ADMIN_TOKEN=\"none\"\n");
        assertThat(run(List.of(), "--home", home().toString(), "networks").err())
                .isEqualTo("infra/admin: set ADMIN_URL and ADMIN_TOKEN; " + env + " does not have both\n");
    }

    private Path home() {
        if (home == null) {
            throw new IllegalStateException("JUnit sets the folder before a test");
        }
        return home;
    }

    private String id(String... arguments) {
        return json(arguments).path("id").asString();
    }

    private JsonNode json(String... arguments) {
        List<String> all = new ArrayList<>(List.of("--json"));
        all.addAll(List.of(arguments));
        Run run = run(all.toArray(String[]::new));
        assertThat(run.status()).as(run.err()).isZero();
        return JSON.readTree(run.out());
    }

    private Run run(String... arguments) {
        return run(
                List.of("ADMIN_URL=" + gateway.admin().baseUrl(), "ADMIN_TOKEN=" + RunningGateway.ADMIN_TOKEN),
                arguments);
    }

    /** @param environment {@code NAME=value} each */
    private Run run(List<String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of("env", "-u", "ADMIN_URL", "-u", "ADMIN_TOKEN"));
        command.addAll(environment);
        command.addAll(List.of("PYTHONUTF8=1", "python3", COMMAND.toString()));
        command.addAll(List.of(arguments));
        try {
            Path err = home().resolve("err");
            Process process = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectError(err.toFile())
                    .start();
            String out = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new Run(process.waitFor(), out, Files.readString(err));
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private record Run(int status, String out, String err) {}
}
