package dev.ligeiro.gateway.operator.admin;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.Deliveries;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.StoredWebhooks;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.TestMerchant;
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
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.Lane;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
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
    private final StoredWebhooks stored;

    @TempDir
    @Nullable
    Path home;

    AdminCommandIT(RunningGateway gateway, StoredWebhooks stored) {
        this.gateway = gateway;
        this.stored = stored;
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
        JsonNode next = json("keys", "rotate", merchant, key.path("prefix").asString(), "--overlap", "1h", "--yes");
        json("keys", "revoke", merchant, key.path("key").asString(), "--yes");

        assertThat(shown.path("city").asString()).isEqualTo("Belém");
        assertThat(shown.at("/fees/cashin/percent").asString()).isEqualTo("1.2500");
        assertThat(shown.at("/limits/cashout/amount_max").asString()).isEqualTo("500.00");
        gateway.api().withToken(key.path("key").asString()).get(ALL).expect(401);
        gateway.api().withToken(next.path("key").asString()).get(ALL).expect(200);
        assertThat(row(run("keys", "list", merchant), key.path("id").asString()))
                .contains(key.path("prefix").asString(), "shop", "revoked");
        assertThat(run("keys", "show", merchant, next.path("id").asString()).out())
                .contains("name                    shop")
                .contains("status                  active")
                .doesNotContain(next.path("key").asString());
        assertThat(run("platforms", "show", merchant, platform).out())
                .isEqualTo("id                      " + platform + "\n"
                        + "name                    web\n"
                        + "mode                    live\n\n");
        assertThat(run("platforms", "show", merchant, key.path("id").asString()).err())
                .startsWith("infra/admin: 404 not_found");
        assertThat(run("merchants", "show", merchant).out()).contains("limits.writes_per_second 7");
        assertThat(row(run("platforms", "list", merchant), platform)).startsWith("web   live  ");
        assertThat(row(run("audit", "--merchant", merchant), "/rotate"))
                .contains("  admin     201     ", " Loja    POST ");
    }

    @Test
    void aKeyMadeWithoutScopesReadsAndCreatesCashinsAndALiveOneWithoutAnEndIsNoted() {
        String merchant = id("merchants", "make", "Loja");

        Run made = run("keys", "make", merchant, "--mode", "live");

        assertThat(made.out()).contains("cashins:write", "statement:read", "transactions:read");
        assertThat(made.out()).doesNotContain("cashouts", "transactions:write", "webhooks");
        assertThat(made.err()).isEqualTo("The key never ends: --expires sets an end.\n");
        assertThat(run("keys", "make", merchant, "--mode", "live", "--expires", "2099-01-31T12:00:00Z")
                        .err())
                .isEmpty();
    }

    /** A person knows a merchant by its name, and an alert by its number. */
    @Test
    void aMerchantIsNamedByIdNumberOrName() {
        String name = "Quitanda São " + UUID.randomUUID().toString().substring(0, 8);
        String id = id("merchants", "make", name);
        id("merchants", "make", name + " 2");
        String number = json("merchants", "show", id).path("number").asString();

        for (String named : List.of(number, name, name.replace("São", "SAO"), name + " 2")) {
            assertThat(json("merchants", "show", named).path("name").asString()).startsWith(name);
        }
        assertThat(json("merchants", "show", number).path("id").asString()).isEqualTo(id);
        assertThat(json("merchants", "show", name).path("id").asString()).isEqualTo(id);
        Run several = run("merchants", "show", name.substring(0, name.length() - 1));
        assertThat(several.status()).isEqualTo(1);
        assertThat(several.err()).contains("several merchants", number + " " + name + "\n");
        assertThat(run("merchants", "show", "Nobody " + name).err())
                .contains("no merchant with this id, number or name");
    }

    @Test
    void aDryRunPrintsTheRequestAndSendsNothing() {
        String merchant = id("merchants", "make", "Loja");
        JsonNode key = json("keys", "make", merchant, "--mode", "test");
        String one = "/merchants/" + merchant + "/keys/" + key.path("id").asString();

        assertThat(run("keys", "revoke", merchant, key.path("prefix").asString(), "--dry-run")
                        .out())
                .isEqualTo("would send DELETE /admin" + one + "\n");
        assertThat(run("merchants", "freeze", merchant, "--reason", "a test", "--dry-run")
                        .out())
                .isEqualTo("would send POST /admin/merchants/" + merchant + "/freeze {\"reason\": \"a test\"}\n");
        Run asked = run("keys", "revoke", merchant, key.path("id").asString());
        assertThat(asked.status()).isEqualTo(4);
        assertThat(asked.err()).contains("status                  active", "not confirmed; nothing was sent");
        gateway.api().withToken(key.path("key").asString()).get(ALL).expect(200);
        assertThat(run("--json", "cashouts", "stopped").out().lines().filter(line -> line.contains(merchant)))
                .allMatch(line -> line.contains("not opened yet"));
    }

    /** The walk of the runbook of a leaked key: from its text to its merchant, and its end. */
    @Test
    void aLeakedKeyIsFoundByItsTextWhichIsNotSent() {
        String merchant = id("merchants", "make", "Loja");
        String key = json("keys", "make", merchant, "--mode", "live", "--name", "Till 9")
                .path("key")
                .asString();

        assertThat(json("keys", "find", key).path("merchant_id").asString()).isEqualTo(merchant);
        assertThat(row(run("keys", "find", key.substring(0, 12)), "Till 9")).contains(" Loja ", key.substring(0, 12));
        assertThat(run("keys", "find", "sk_live_" + "A".repeat(43)).out()).isEmpty();
        Run revoked = run("keys", "revoke", merchant, "Till 9", "--yes");
        assertThat(revoked.out()).contains("status                  revoked");
    }

    @Test
    void aTransactionIsFoundAndShownByEachOfItsNames() {
        TestMerchant merchant = gateway.newMerchant();
        String reference = "order " + UUID.randomUUID().toString().substring(0, 8);
        String id = merchant.created(merchant.cashin().put("reference", reference));
        String endToEndId = json("transactions", "find", id).path("e2e_id").asString();

        for (String named : List.of(id, endToEndId, reference)) {
            assertThat(json("transactions", "show", named).path("id").asString())
                    .isEqualTo(id);
            assertThat(row(run("transactions", "find", named), id)).contains("Café do Zé", "pending", endToEndId);
        }
        assertThat(run("transactions", "find", "529.982.247-25", "--merchant", merchant.id())
                        .out())
                .contains(id);
        Transaction old =
                Transactions.cashin(TransactionId.at(Instant.now().minus(Duration.ofDays(50))), new Amount(1_00));
        stored.insert(List.of(old));
        // of 600 merchants, a search covers 41 days
        stored.withMerchants(600, () -> {
            Run found = run("transactions", "find", "529.982.247-25");
            assertThat(found.err()).isEmpty();
            assertThat(found.out()).contains(id, old.id().toString());
        });
        Run shown = run("transactions", "show", id);
        assertThat(shown.out())
                .contains("merchant_name           Café do Zé", "\n\ntimeline\n", "status_changed  pending  merchant")
                .doesNotContain("52998224725");
        assertThat(run("transactions", "show", "none-" + reference).err())
                .isEqualTo("infra/admin: none-" + reference + ": no transaction with this reference\n");
    }

    /** The walk of the runbook of a failing endpoint. */
    @Test
    void whatAnEndpointHasMissedIsSentAgain() {
        TestMerchant merchant = gateway.newMerchant();
        TestEndpoint endpoint = TestEndpoint.of(merchant);
        try (StoredWebhooks stored = new StoredWebhooks(gateway.database())) {
            stored.insert(Deliveries.delivery(Deliveries.id(endpoint.id(), 1), DeliveryStatus.EXHAUSTED));
            stored.insert(new Lane(
                    endpoint.id(),
                    stored.endpoint(endpoint.id()).tenant(),
                    Instant.now(),
                    null,
                    new Lane.Health(9, 1, null, Instant.parse("2020-01-01T00:00:00Z")),
                    null,
                    1));
        }

        String number = json("merchants", "show", merchant.id()).path("number").asString();
        assertThat(row(run("endpoints", "failing"), endpoint.id().toString()))
                .startsWith(number + " Café do Zé")
                .contains("2020-01-01T00:00:00Z");
        assertThat(row(run("endpoints", "list", number), endpoint.id().toString()))
                .contains("https://example.com/", "enabled");
        assertThat(run("deliveries", "list", number, "--status", "undelivered").out())
                .contains("transaction.paid", "exhausted", "1: rejected 500");
        assertThat(run("endpoints", "test", number, endpoint.id().toString(), "--dry-run")
                        .out())
                .startsWith(
                        "would send POST /admin/merchants/" + merchant.id() + "/endpoints/" + endpoint.id() + "/test");
        JsonNode replay = json(
                "endpoints", "replay", number, "--since", "2026-03-01T00:00:00Z", "--until", "2026-03-30T00:00:00Z");
        assertThat(replay.path("status").asString()).isEqualTo("done");
        assertThat(replay.path("scheduled").asInt()).isEqualTo(1);
        assertThat(json("endpoints", "enable", number).path("status").asString())
                .isEqualTo("enabled");
    }

    @Test
    void theStatusIsOneScreenAndTheVersionThatOfTheProject() throws IOException {
        String pom = Files.readString(COMMAND.resolveSibling("../pom.xml"));

        assertThat(run("status").out()).contains("processes\n").contains("open work\n");
        assertThat(json("status").path("instances")).isNotEmpty();
        String version = json("version").path("client").asString();
        assertThat(pom).contains("<version>" + version + "</version>");
    }

    @Test
    void aTableFitsTheTerminalAndIdsAreNotCut() {
        String id = id("merchants", "make", "Loja " + "x".repeat(40));
        String script = "import os, pty; os.environ['COLUMNS'] = '80'; pty.spawn(['python3', '" + COMMAND
                + "', 'merchants', 'list', '--limit', '5'])";

        Run shown = run(environment(), List.of("python3", "-c", script));

        List<String> lines = shown.out().replace("\r", "").lines().toList();
        assertThat(lines).allMatch(line -> line.length() <= 80);
        assertThat(lines.get(0)).startsWith("NUMBER  NAME");
        assertThat(lines.get(1)).contains("Loja xxx", "…", id);
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
                        .formatted(gateway.admin().baseUrl(), RunningGateway.ADMIN_TOKEN));
        List<String> environment = List.of("XDG_CONFIG_HOME=" + home());

        assertThat(run(environment, "--profile", "here", "networks").err()).endsWith("chmod 600 " + file + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(run(environment, "networks", "--profile", "here").err()).isEmpty();
        assertThat(run(environment, "--profile", "elsewhere", "networks").status())
                .isEqualTo(3);
        assertThat(run(environment, "--profile", "none", "networks").err())
                .endsWith("(expected: one of elsewhere, here)\n");
        Files.writeString(file, "url: x\n");
        assertThat(run(environment, "--profile", "here", "networks").err()).contains("line 1: expected [name]");
    }

    @Test
    void completionOffersCommandsOptionsAndChoices() {
        assertThat(run("__complete", "merch").out()).isEqualTo("merchants\n");
        assertThat(run("__complete", "endpoints", "").out()).contains("failing\n", "replay\n");
        assertThat(run("__complete", "keys", "make", "7", "--mode", "").out()).isEqualTo("test\nlive\n");
        assertThat(run("__complete", "keys", "revoke", "7", "--y").out()).isEqualTo("--yes\n");
        assertThat(run("completion", "bash").out()).contains("complete -o default");
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
        JsonNode frozen = json("merchants", "freeze", merchant, "--reason", "a stolen key", "--yes");

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
        Run stopped = run("cashouts", "stop", "--merchant", merchant, "--reason", "a test", "--yes");
        assertThat(stopped.out().lines().filter(line -> line.contains(" Loja ")))
                .anyMatch(line -> line.startsWith("cashouts"))
                .anyMatch(line -> line.startsWith("frozen"));
        json("merchants", "unfreeze", merchant, "--reason", "over");
        run("cashouts", "resume", "--merchant", merchant, "--reason", "over");
        assertThat(run("--json", "cashouts", "stopped").out()).doesNotContain(merchant);
    }

    @Test
    void aKeyIsRestrictedToNetworks() {
        String merchant = id("merchants", "make", "Loja");
        JsonNode key = json("keys", "make", merchant, "--mode", "test", "--network", "203.0.113.0/24");

        gateway.api().withToken(key.path("key").asString()).get(ALL).expect(403);
        assertThat(run("keys", "networks", merchant, key.path("id").asString()).err())
                .contains("203.0.113.0/24", "works from everywhere", "not confirmed; nothing was sent");
        json("keys", "networks", merchant, key.path("id").asString(), "--network", "127.0.0.0/8", "--network", "::1");
        gateway.api().withToken(key.path("key").asString()).get(ALL).expect(200);
    }

    /** This gateway has no rail. LiveCashinIT stops one. */
    @Test
    void aStopNamesTheRailTheOperationAndTheReason() {
        assertThat(run("routes", "stop", "bank", "--operation", "cashin", "--reason", "denies all", "--yes")
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
        assertThat(asked.status()).isEqualTo(4);
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

            assertThat(row(run("breaks", "--rail", rail), id.toString())).contains("missing_there", " 7.00 ");
            assertThat(run("breaks", "--rail", rail, "--kind", "amount").out()).isEmpty();
            JsonNode closed = json("breaks", "close", id.toString(), "--reason", "a test payment", "--yes");

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

            assertThat(row(run("approvals"), id)).contains("  10.00 ");
            assertThat(json("reject", id, "--reason", "no processor runs", "--yes")
                            .path("status")
                            .asString())
                    .isEqualTo("in_analysis");
            stored.move(id, Status.CANCELED);
        }

        assertThat(run("approvals").out()).doesNotContain(id);
        assertThat(run("approve", id, "--reason", "too late", "--yes").err()).contains("409 invalid_transition");
    }

    @Test
    void theAuditIsProvenAndAChangeOfItIsNoticed() throws IOException {
        String merchant = id("merchants", "make", "Loja");
        json("platforms", "make", merchant, "web", "--mode", "test");
        json("platforms", "make", merchant, "shop", "--mode", "test");
        Run proven = run("--json", "audit", "verify");
        assertThat(proven.status()).as(proven.err()).isZero();
        Path heads = Files.writeString(home().resolve("heads"), proven.out());

        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            List<Document> entries = stored.all(AuditEntry.COLLECTION).stream()
                    .filter(entry -> entry.getString("path").contains(merchant))
                    .toList();
            Document entry = entries.get(0);
            UUID id = requireNonNull(entry.get("_id", UUID.class));
            stored.remove(AuditEntry.COLLECTION, id);
            assertThat(run("audit", "verify").err()).contains("the audit was changed", " was removed");

            stored.insert(AuditEntry.COLLECTION, new Document(entry).append("operator", "nobody"));
            assertThat(run("audit", "verify").err()).contains("entry " + id + " was changed");
            stored.remove(AuditEntry.COLLECTION, id);

            stored.insert(AuditEntry.COLLECTION, new Document(entry).append("status", 403));
            assertThat(run("audit", "verify").err()).contains("entry " + id + " was changed");
            stored.remove(AuditEntry.COLLECTION, id);
            stored.insert(AuditEntry.COLLECTION, entry);

            UUID copy = UUID.randomUUID();
            stored.insert(AuditEntry.COLLECTION, new Document(entry).append("_id", copy));
            assertThat(run("audit", "verify").err()).contains(" was inserted, or ");
            stored.remove(AuditEntry.COLLECTION, copy);

            Document last = entries.get(entries.size() - 1);
            stored.remove(AuditEntry.COLLECTION, requireNonNull(last.get("_id")));
            assertThat(run("audit", "verify", "--expect", heads.toString()).err())
                    .contains(" was removed");
            stored.insert(AuditEntry.COLLECTION, last);
            assertThat(run("audit", "verify").status()).isZero();
        }
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

            Run direct = run(environment, "networks");
            assertThat(direct.status()).as(direct.err()).isZero();
            assertThat(proxied).isNotDone();

            assertThat(run(environment, "--proxy", "networks").err()).isEqualTo("infra/admin: status 502\n");
            proxied.join();
        }
    }

    @Test
    void aRedirectDoesNotTakeTheTokenToAnotherAddress() throws IOException {
        try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + first.getLocalPort();
            String target = "http://127.0.0.1:" + other.getLocalPort() + "/admin/webhook-networks";
            CompletableFuture<Void> redirected = CompletableFuture.runAsync(
                    () -> answer(first, "HTTP/1.0 302 Found\\nLocation: " + target + "\\n\\n"));
            CompletableFuture<Void> followed =
                    CompletableFuture.runAsync(() -> answer(other, "HTTP/1.0 200 OK\\n\\n{\"networks\":[]}"));

            Run refused = run(List.of("ADMIN_URL=" + url, "ADMIN_TOKEN=none"), "networks");

            redirected.join();
            assertThat(refused.err())
                    .isEqualTo("infra/admin: " + url + "/admin/webhook-networks redirects to " + target
                            + ", where the token is not sent\n");
            assertThat(refused.status()).isEqualTo(3);
            assertThat(followed).isNotDone();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cp1252", "ascii", "latin-1:strict"})
    void aNameThatTheTerminalCannotEncodeIsPrinted(String encoding) {
        String merchant = id("merchants", "make", "Loja");
        String key = json("keys", "make", merchant, "--mode", "test", "--name", "Caixa 😀")
                .path("id")
                .asString();
        List<String> environment = new ArrayList<>(environment());
        environment.add("PYTHONIOENCODING=" + encoding);

        assertThat(row(run(environment, "keys", "list", merchant), key)).contains("Caixa \\U0001f600");
        assertThat(run(environment, "keys", "show", merchant, key).out()).contains("Caixa \\U0001f600");
        Run json = run(environment, "--json", "keys", "show", merchant, key);
        assertThat(JSON.readTree(json.out()).path("name").asString()).isEqualTo("Caixa 😀");
        assertThat(run(environment, "keys", "show", merchant, "none 😀").err()).contains("none \\U0001f600");
        assertThat(run(environment, "--help").status()).isZero();
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

    /** The line of a table with this text. */
    private static String row(Run run, String text) {
        List<String> found =
                run.out().lines().filter(line -> line.contains(text)).toList();
        assertThat(found).as(run.out() + run.err()).hasSize(1);
        return found.get(0);
    }

    private List<String> environment() {
        return List.of("ADMIN_URL=" + gateway.admin().baseUrl(), "ADMIN_TOKEN=" + RunningGateway.ADMIN_TOKEN);
    }

    private Run run(String... arguments) {
        return run(environment(), arguments);
    }

    private Run run(List<String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of("python3", COMMAND.toString()));
        command.addAll(List.of(arguments));
        return run(environment, command);
    }

    /** @param environment {@code NAME=value} each */
    private Run run(List<String> environment, List<String> program) {
        List<String> command = new ArrayList<>(List.of("env", "-u", "ADMIN_URL", "-u", "ADMIN_TOKEN"));
        command.addAll(environment);
        command.add("PYTHONUTF8=1");
        command.addAll(program);
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
