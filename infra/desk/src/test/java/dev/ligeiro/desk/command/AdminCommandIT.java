package dev.ligeiro.desk.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.bundle.SigningKeys;
import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.Topics;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs {@code infra/admin}, the operators' command, against a desk. */
@ExtendWith(SharedDesk.class)
class AdminCommandIT {

    private static final Path COMMAND = Path.of("..", "admin").toAbsolutePath().normalize();
    private static final JsonMapper JSON = new JsonMapper();

    private final RunningDesk desk;
    private final Api admin;

    @TempDir
    @Nullable
    Path home;

    AdminCommandIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
    }

    @Test
    void aMerchantIsMadeAndChangedByItsName() {
        String name = "Quitanda São " + UUID.randomUUID().toString().substring(0, 8);
        JsonNode made = json("merchants", "make", "--name", name, "--fees-cashin-percent", "1.25");
        String number = made.path("number").asString();
        json("merchants", "make", "--name", name + " 2");

        assertThat(made.at("/fees/cashin/percent").asString()).isEqualTo("1.2500");
        for (String named : List.of(made.path("id").asString(), number, name, name.replace("São", "SAO"))) {
            assertThat(json("merchants", "show", named).path("number").asString())
                    .isEqualTo(number);
        }
        assertThat(run("merchants", "list", "--name", name).out().lines().toList())
                .hasSize(3)
                .first()
                .asString()
                .startsWith("ID ")
                .contains("NUMBER", "NAME", "CITY", "FEES.CASHIN.PERCENT");
        Run several = run("merchants", "show", name.substring(0, name.length() - 1));
        assertThat(several.status()).isEqualTo(1);
        assertThat(several.err()).contains("several, name one by its id or number\n", number + " " + name);
        assertThat(run("merchants", "show", "Nobody " + name).err())
                .isEqualTo("infra/admin: Nobody " + name + ": no such merchant\n");
    }

    /** The API replaces all limits: one that was forgotten would be lifted. */
    @Test
    void whatAChangeOfAWholePartLeavesOutStays() {
        String merchant = merchant();
        json("merchants", "set-limits", merchant, "--cashin-amount-max", "500.00", "--writes-per-second", "7");

        JsonNode kept = json("merchants", "set-limits", merchant, "--reads-per-second", "9");
        assertThat(kept.at("/limits/cashin/amount_max").asString()).isEqualTo("500.00");
        assertThat(kept.at("/limits/writes_per_second").asInt()).isEqualTo(7);
        assertThat(kept.at("/limits/reads_per_second").asInt()).isEqualTo(9);
        JsonNode replaced = json("merchants", "set-limits", merchant, "--replace", "--reads-per-second", "9");
        assertThat(replaced.at("/limits/writes_per_second").isNull()).isTrue();
        assertThat(json("merchants", "set-expiry", merchant, "--expires-in", "15m")
                        .path("expires_in")
                        .asInt())
                .isEqualTo(900);
    }

    /** The walk of the runbook of a leaked key: from its text, which is not sent, to its merchant, and its end. */
    @Test
    void aKeyIsFoundByItsTextAndRevokedAfterAQuestion() {
        String merchant = merchant();
        JsonNode made =
                json("keys", "make", merchant, "--mode", "test", "--name", "Till 9", "--scopes", "statement:read");
        String key = made.path("key").asString();

        assertThat(json("keys", "find", key).path("merchant_id").asString()).isEqualTo(merchant);
        assertThat(run("keys", "find", "sk_live_" + "A".repeat(43)).out()).isEmpty();
        assertThat(run("keys", "revoke", merchant, "Till 9", "--dry-run").out())
                .isEqualTo("would send DELETE /admin/merchants/" + merchant + "/keys/"
                        + made.path("id").asString() + "\n");
        Run asked = run("keys", "revoke", merchant, key);
        assertThat(asked.status()).isEqualTo(4);
        assertThat(asked.err()).contains("name                    Till 9", "not confirmed; nothing was sent");
        assertThat(run("keys", "revoke", merchant, made.path("prefix").asString(), "--yes")
                        .err())
                .isEmpty();
        assertThat(run("keys", "list", merchant).out()).contains("revoked");
    }

    /** What is decided about, what will be sent, and the sum: a cashout of another one could be approved by mistake. */
    @Test
    void anApprovalShowsTheCashoutAndAsksForItsSum() {
        TestTopics.create(Topics.COMMANDS, 2);
        Transaction cashout = Transactions.like(Transactions.cashout(new Amount(10_000)))
                .tenant(Tenant.of(1, Mode.TEST))
                .build();
        String id = Stored.of(desk).waiting(cashout).id().toString();

        Run other = typing("10.00", "approvals", "approve", id, "--reason", "ticket 1");
        assertThat(other.err())
                .contains(
                        "amount                  100.00\n",
                        "will send POST /admin/transactions/" + id + "/approve {\"reason\": \"ticket 1\"}\n",
                        "Type the sum: ",
                        "amount: expected the sum that is decided about");
        assertThat(run("approvals", "approve", id, "--reason", "ticket 1").status())
                .isEqualTo(4);
        Run approved = typing("100.00", "approvals", "approve", id, "--reason", "ticket 1");
        assertThat(approved.status()).as(approved.err()).isZero();
        assertThat(approved.out()).contains("in_analysis");
    }

    /** Other decisions, which the same path lists, are not what is asked about. */
    @Test
    void aProposalIsShownBeforeItIsConfirmed() {
        String id = UUID.randomUUID().toString();
        String[] propose = {"resolutions", "propose", "--transaction", id, "--decision", "denied", "--reason", "lost"};

        Run asked = run(propose);
        assertThat(asked.status()).isEqualTo(4);
        assertThat(asked.err())
                .startsWith("will send POST /admin/resolutions {\"decision\": \"denied\", \"transaction\": \"" + id);
        assertThat(typing("100.00", propose).err()).contains("404 ");
    }

    @Test
    void anArchivedMonthIsNamedByItself() {
        desk.mongo()
                .save(
                        new Document("_id", "2018-07")
                                .append("state", "archived")
                                .append("part", 1),
                        CollectionNames.ARCHIVED_MONTHS);

        assertThat(json("archive", "restore", "2018-07", "--reason", "an audit", "--yes")
                        .path("state")
                        .asString())
                .isEqualTo("restoring");
        assertThat(run("archive", "restore", "2018-06", "--reason", "an audit", "--yes")
                        .err())
                .contains("2018-06: no such month");
        // other tests see all months
        desk.mongo().remove(Query.query(Criteria.where("_id").is("2018-07")), CollectionNames.ARCHIVED_MONTHS);
    }

    @Test
    void aListIsReadPageByPageAndTheGroupAloneLists() {
        String name = "Page " + UUID.randomUUID().toString().substring(0, 8) + " ";
        for (int i = 0; i < 101; i++) {
            admin.post("/admin/merchants", Map.of("name", name + i)).expect(201);
        }
        assertThat(run("--json", "merchants", "--name", name).out().lines()).hasSize(101);
        assertThat(run("--json", "merchants", "--name", name, "--limit", "3")
                        .out()
                        .lines())
                .hasSize(3);
    }

    @Test
    void theAuditIsProvenAndAChangeOfItIsNoticed() throws IOException {
        UUID merchant = UUID.fromString(merchant());
        Run proven = verify();
        assertThat(proven.status()).as(proven.err()).isZero();
        String ends = Files.writeString(home().resolve("ends"), proven.out()).toString();
        assertThat(verify("--expect", ends).status()).isZero();
        Files.writeString(
                home().resolve("ends"), proven.out().replaceFirst("\"hash\": \"[0-9a-f]{8}", "\"hash\": \"0"));
        assertThat(verify("--expect", ends).err()).contains("the audit was changed", " was changed");

        Query ofMerchant = Query.query(Criteria.where("merchantId").is(merchant));
        Document entry =
                requireNonNull(desk.mongo().findAndRemove(ofMerchant, Document.class, CollectionNames.ADMIN_AUDIT));
        merchant();
        assertThat(verify().err()).contains("the audit was changed", " was removed");
        desk.mongo().insert(new Document(entry).append("operator", "nobody"), CollectionNames.ADMIN_AUDIT);
        assertThat(verify().err()).contains("entry " + entry.get("_id") + " was changed");
        desk.mongo().save(entry, CollectionNames.ADMIN_AUDIT);
        assertThat(verify().status()).isZero();
    }

    private Run verify(String... options) {
        List<String> program =
                new ArrayList<>(List.of(COMMAND.resolveSibling("audit-verify").toString()));
        program.addAll(List.of(options));
        return run(environment(), program);
    }

    /** The same bundle as its merchant gets. */
    @Test
    void aBundleGoesIntoAFileAndIsProven() throws IOException {
        Transaction paid = Stored.of(desk, "Padaria do Sol").paid(Mode.TEST);
        String file = home().resolve("bundle.zip").toString();
        Path keys = Files.write(
                home().resolve("keys.json"), desk.bean(SigningKeys.class).publicKeys());
        String redirected =
                "import subprocess, sys; sys.exit(subprocess.call(sys.argv[2:], stdout=open(sys.argv[1], 'wb')))";

        Run made = run(
                environment(),
                List.of(
                        "-c",
                        redirected,
                        file,
                        COMMAND.toString(),
                        "transactions",
                        "bundle",
                        paid.id().toString()));
        Run proven =
                run(List.of(), List.of(COMMAND.resolveSibling("bundle-verify").toString(), file, keys.toString()));

        assertThat(made.status()).as(made.err()).isZero();
        assertThat(proven.status()).as(proven.err()).isZero();
        assertThat(JSON.readTree(proven.out()).path("merchant").asString()).isEqualTo("Padaria do Sol");
    }

    @Test
    void aProfileHasTheAddressAndTheToken() throws IOException {
        Path file = home().resolve("ligeiro/admin.toml");
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                """
                # of this test
                [here]
                url = "%s"
                token_command = 'echo %s'
                [elsewhere]
                url = "http://127.0.0.1:0"
                token = "x"
                """
                        .formatted(desk.url(), RunningDesk.ADMIN_TOKEN));
        List<String> environment = List.of("XDG_CONFIG_HOME=" + home());

        assertThat(command(environment, "--profile", "here", "merchants").err()).endsWith("chmod 600 " + file + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(command(environment, "merchants", "--limit", "1", "--profile", "here")
                        .err())
                .isEmpty();
        assertThat(command(environment, "--profile", "elsewhere", "merchants").status())
                .isEqualTo(3);
        assertThat(command(environment, "--profile", "none", "merchants").err()).contains("has no [none]");
    }

    @Test
    void theAddressIsThatOfInfraRun() throws IOException {
        Files.writeString(
                home().resolve("demo.env"),
                "ADMIN_URL=" + desk.url() + "\nADMIN_TOKEN=\"" + RunningDesk.ADMIN_TOKEN + "\"\n");
        String folder = home().toString();
        assertThat(command(List.of(), "--home", folder, "merchants", "--limit", "1")
                        .status())
                .isZero();

        Files.writeString(home().resolve("demo.env"), "ADMIN_TOKEN=\"none\"\n");
        assertThat(command(List.of(), "--home", folder, "merchants").err())
                .isEqualTo("infra/admin: set ADMIN_URL and ADMIN_TOKEN; " + folder + "/demo.env does not have both\n");
    }

    @Test
    void aRefusalNamesTheFieldsAndWrongArgumentsAreTheirOwn() {
        Run refused = run("merchants", "make", "--name", "日本");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .isEqualTo(
                        """
                        infra/admin: 422 validation_failed: 1 field is invalid
                          name: expected Latin letters, which a BR Code can contain
                        """);
        assertThat(run("merchants", "make").status()).isEqualTo(2);
        assertThat(run("merchants", "set-expiry", "1", "--expires-in", "1,5").err())
                .contains("1,5 (expected: a number; of seconds also such as 30m, 12h, 7d)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "HTTP/1.0 200 OK\\n\\n<html>Welcome</html>   | has not answered as a desk does",
                "HTTP/1.0 200 OK\\n\\n{\"status\":\"UP\"}    | has not answered as a desk does",
                "HTTP/1.0 502 Bad Gateway\\n\\n[1]           | status 502",
                "HTTP/1.0 200 OK\\nContent-Length: 9\\n\\n{} | cannot be reached: IncompleteRead",
                "SSH-2.0-OpenSSH_9.2\\n                      | cannot be reached: BadStatusLine",
                "``                                          | cannot be reached: RemoteDisconnected",
            })
    void anotherServiceAtTheAddressIsOneLine(String answer, String message) throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> answer(other, answer));
            String url = "http://127.0.0.1:" + other.getLocalPort();

            Run refused = command(List.of("ADMIN_URL=" + url, "ADMIN_TOKEN=none"), "merchants");

            answered.join();
            assertThat(refused.err())
                    .startsWith("infra/admin: ")
                    .contains(message)
                    .hasLineCount(1);
            assertThat(refused.status()).isEqualTo(message.equals("status 502") ? 1 : 3);
        }
    }

    /** A proxy would read the token of a plain HTTP address, and change what an operator sees. */
    @Test
    void theTokenGoesToAProxyOnlyWhenTheOperatorAsksForIt() throws IOException {
        try (ServerSocket proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "http://127.0.0.1:" + proxy.getLocalPort();
            List<String> environment = new ArrayList<>(environment());
            environment.addAll(List.of("http_proxy=" + address, "HTTP_PROXY=" + address, "no_proxy=", "NO_PROXY="));
            CompletableFuture<Void> proxied =
                    CompletableFuture.runAsync(() -> answer(proxy, "HTTP/1.0 502 Bad Gateway\\n\\n"));

            Run direct = command(environment, "merchants", "--limit", "1");
            assertThat(direct.status()).as(direct.err()).isZero();
            assertThat(proxied).isNotDone();

            assertThat(command(environment, "--proxy", "merchants").err()).isEqualTo("infra/admin: status 502\n");
            proxied.join();
        }
    }

    @Test
    void aRedirectDoesNotTakeTheTokenToAnotherAddress() throws IOException {
        try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + first.getLocalPort();
            String target = "http://127.0.0.1:" + other.getLocalPort() + "/openapi.json";
            CompletableFuture<Void> redirected = CompletableFuture.runAsync(
                    () -> answer(first, "HTTP/1.0 302 Found\\nLocation: " + target + "\\n\\n"));
            CompletableFuture<Void> followed =
                    CompletableFuture.runAsync(() -> answer(other, "HTTP/1.0 200 OK\\n\\n{}"));

            Run refused = command(List.of("ADMIN_URL=" + url, "ADMIN_TOKEN=none"), "merchants");

            redirected.join();
            assertThat(refused.err())
                    .isEqualTo("infra/admin: " + url + "/openapi.json redirects to " + target
                            + ", where the token is not sent\n");
            assertThat(refused.status()).isEqualTo(3);
            assertThat(followed).isNotDone();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cp1252", "ascii"})
    void aNameThatTheTerminalCannotEncodeIsPrinted(String encoding) {
        String merchant = merchant();
        String platform = json("merchants", "add-platform", merchant, "--name", "Caixa 😀", "--mode", "test")
                .path("id")
                .asString();
        List<String> environment = new ArrayList<>(environment());
        environment.add("PYTHONIOENCODING=" + encoding);

        assertThat(command(environment, "merchants", "list-platforms", merchant).out())
                .contains(platform, "Caixa \\U0001f600");
        Run json = command(environment, "--json", "merchants", "list-platforms", merchant);
        assertThat(JSON.readTree(json.out()).path("name").asString()).isEqualTo("Caixa 😀");
        assertThat(command(environment, "merchants", "show", "none 😀").err()).contains("none \\U0001f600");
        assertThat(command(environment, "--help").status()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:9091", "//localhost", "file:///tmp", "http://[::1"})
    void anAddressThatIsNoHttpUrlIsOneLine(String url) {
        assertThat(command(List.of("ADMIN_URL=" + url, "ADMIN_TOKEN=none"), "merchants")
                        .err())
                .isEqualTo("infra/admin: ADMIN_URL: " + url + " (expected: such as http://localhost:8085)\n");
    }

    private static void answer(ServerSocket server, String text) {
        try (Socket client = server.accept()) {
            client.getInputStream().read(new byte[4_096]);
            client.getOutputStream().write(text.replace("\\n", "\r\n").getBytes(UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String merchant() {
        return json("merchants", "make", "--name", "Loja").path("id").asString();
    }

    private Path home() {
        if (home == null) {
            throw new IllegalStateException("JUnit sets the folder before a test");
        }
        return home;
    }

    private JsonNode json(String... arguments) {
        List<String> all = new ArrayList<>(List.of("--json"));
        all.addAll(List.of(arguments));
        Run run = run(all.toArray(String[]::new));
        assertThat(run.status()).as(run.err()).isZero();
        return JSON.readTree(run.out());
    }

    private List<String> environment() {
        return List.of("ADMIN_URL=" + desk.url(), "ADMIN_TOKEN=" + RunningDesk.ADMIN_TOKEN);
    }

    private Run run(String... arguments) {
        return command(environment(), arguments);
    }

    private Run typing(String line, String... arguments) {
        return run(environment(), program(arguments), line + "\n");
    }

    private Run command(List<String> environment, String... arguments) {
        return run(environment, program(arguments));
    }

    private static List<String> program(String... arguments) {
        List<String> program = new ArrayList<>(List.of(COMMAND.toString()));
        program.addAll(List.of(arguments));
        return program;
    }

    private Run run(List<String> environment, List<String> program) {
        return run(environment, program, "");
    }

    /** @param environment {@code NAME=value} each */
    private Run run(List<String> environment, List<String> program, String typed) {
        List<String> command =
                new ArrayList<>(List.of("env", "-u", "ADMIN_URL", "-u", "ADMIN_TOKEN", "-u", "ADMIN_PROFILE"));
        command.addAll(List.of("PYTHONUTF8=1", "TZ=UTC", "XDG_CACHE_HOME=" + home().resolve("cache")));
        command.addAll(environment);
        command.add("python3");
        command.addAll(program);
        try {
            Path err = home().resolve("err");
            Process process = new ProcessBuilder(command)
                    .redirectInput(
                            Files.writeString(home().resolve("in"), typed).toFile())
                    .redirectError(err.toFile())
                    .start();
            String out = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new Run(process.waitFor(), out, Files.readString(err));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private record Run(int status, String out, String err) {}
}
