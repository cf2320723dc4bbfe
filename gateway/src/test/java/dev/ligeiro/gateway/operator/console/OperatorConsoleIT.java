package dev.ligeiro.gateway.operator.console;

import static dev.ligeiro.gateway.operator.console.OperatorDesk.ANA;
import static dev.ligeiro.gateway.operator.console.OperatorDesk.BRUNO;
import static dev.ligeiro.gateway.operator.console.OperatorDesk.CARLA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The operators' console, as a client without a browser sees it. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OperatorConsoleIT {

    /** Such tests come last: what the desk reports is old then. */
    private static final int MOVES_THE_CLOCK = Integer.MAX_VALUE;

    private static OperatorDesk desk;
    private static String ana;
    private static String bruno;
    private static String carla;

    @BeforeAll
    static void start() {
        desk = new OperatorDesk();
        ana = desk.signIn(ANA);
        bruno = desk.signIn(BRUNO);
        carla = desk.signIn(CARLA);
    }

    @AfterAll
    static void stop() {
        desk.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console",
                "/console/search",
                "/console/search?q=order-4711",
                "/console/approvals",
                "/console/unsettled",
                "/console/unmatched",
                "/console/unmatched?state=resolved",
                "/console/breaks",
                "/console/breaks?state=closed",
                "/console/resolutions",
                "/console/resolutions?state=",
                "/console/dead-letters",
                "/console/dead-letters?topic=transaction-events",
                "/console/endpoints",
                "/console/stops",
                "/console/audit",
                "/console/status"
            })
    void everyPageNeedsASession(String path) {
        HttpResponse<String> without = desk.get(path, "");
        assertThat(without.statusCode()).isEqualTo(303);
        assertThat(without.headers().firstValue("Location").orElse("")).startsWith("/console/sign-in?back=%2Fconsole");

        HttpResponse<String> with = desk.get(path, carla);
        assertThat(with.statusCode()).as(with.body()).isEqualTo(200);
        assertThat(with.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(with.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'");
        assertThat(with.body()).doesNotContain("<b>\"").doesNotContain("style=").doesNotContain("onclick");
    }

    @Test
    void theCookieIsForThisConsoleAlone() {
        HttpResponse<String> response =
                desk.post("/console/sign-in", "", desk.url(), Map.of("token", ANA, "back", "/console/breaks"));

        assertThat(response.statusCode()).isEqualTo(303);
        assertThat(response.headers().firstValue("Location")).contains("/console/breaks");
        assertThat(response.headers().firstValue("Set-Cookie").orElse(""))
                .contains("Path=/console", "HTTPOnly", "SameSite=Strict", "Max-Age=28800")
                .doesNotContain("Secure")
                .doesNotContain(ANA);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "//evil.example",
                "/consoles",
                "/console/a b",
                "/console\\..",
                "/console/{",
                ""
            })
    void aSignInLeadsToThisConsoleOnly(String back) {
        assertThat(desk.post("/console/sign-in", "", desk.url(), Map.of("token", ANA, "back", back))
                        .headers()
                        .firstValue("Location"))
                .contains("/console");
    }

    @Test
    void aForgedOrForeignCookieIsNoSession() {
        String token = ana.substring(ana.indexOf('=') + 1);
        for (String forged : List.of(
                (token.startsWith("A") ? "B" : "A") + token.substring(1), ApiKey.hash(token), "ana", "", "....")) {
            assertThat(desk.get("/console", "ligeiro_operator=" + forged).statusCode())
                    .as(forged)
                    .isEqualTo(303);
        }
        assertThat(desk.stored.all("operator_sessions").toString()).doesNotContain(token, ANA);
    }

    @Test
    void aSignInLeavesAnAuditEntry() {
        desk.signIn(CARLA);

        assertThat(desk.admin()
                        .get("/admin/audit")
                        .expect(200)
                        .json()
                        .path("audit")
                        .valueStream())
                .extracting(entry -> entry.path("operator").asString() + " "
                        + entry.path("action").asString() + " "
                        + entry.path("status").asInt())
                .first()
                .isEqualTo("carla sign-in 200");
    }

    @Test
    void aSessionEndsWithItsSignOut() {
        String session = desk.signIn(CARLA);
        assertThat(desk.get("/console", session).statusCode()).isEqualTo(200);

        assertThat(desk.post("/console/sign-out", session, desk.url(), Map.of()).statusCode())
                .isEqualTo(303);

        assertThat(desk.get("/console", session).statusCode()).isEqualTo(303);
        assertThat(desk.get("/console/events", session).statusCode()).isEqualTo(401);
        assertThat(desk.get("/console", carla).statusCode()).isEqualTo(200);
    }

    @Test
    void aFormComesFromThisConsole() {
        String path = "/console/merchants/" + desk.merchant.id() + "/freeze";
        for (String origin : List.of("", "null", "https://evil.example", "http://localhost:1")) {
            HttpResponse<String> refused = desk.post(path, bruno, origin, Map.of("reason", "x"));
            assertThat(refused.statusCode()).as(origin).isEqualTo(403);
            assertThat(refused.body()).contains("another address");
            assertThat(desk.post("/console/sign-in", "", origin, Map.of("token", ANA))
                            .statusCode())
                    .isEqualTo(403);
        }
        assertThat(frozen()).isEmpty();
    }

    @Test
    void whatAnOperatorMayNotDoIsNotOfferedAndRefused() {
        String path = "/console/merchants/" + desk.merchant.id();
        assertThat(desk.get(path, bruno).body()).contains("/freeze", "/fees", "/guard?mode=test", "/rotate");
        assertThat(desk.get(path, ana).body()).contains("/guard?mode=test").doesNotContain("/freeze\"", "/rotate\"");
        assertThat(desk.get(path, carla).body())
                .doesNotContain("/freeze\"", "/fees\"", "/guard?", "/rotate\"", "/replay\"", "/replay?");
        assertThat(desk.get("/console/approvals", carla).body())
                .contains(desk.waiting)
                .doesNotContain("/approve");

        for (String form : List.of("/freeze", "/fees", "/limits", "/name", "/guard")) {
            assertThat(desk.get(path + form, carla).statusCode()).as(form).isEqualTo(403);
            assertThat(desk.post(path + form, carla, desk.url(), Map.of("reason", "x"))
                            .statusCode())
                    .as(form)
                    .isEqualTo(403);
        }
        assertThat(desk.post(
                                "/console/transactions/" + desk.waiting + "/approve",
                                carla,
                                desk.url(),
                                Map.of("reason", "x"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(frozen()).isEmpty();
    }

    @Test
    void aChangeIsThatOfTheAdminApiAndInTheAudit() {
        String path = "/console/merchants/" + desk.merchant.id();
        HttpResponse<String> empty = desk.post(path + "/freeze", bruno, desk.url(), Map.of("reason", " "));
        assertThat(empty.statusCode()).isEqualTo(422);
        assertThat(empty.body()).contains("id=\"field-reason-error\"", "aria-invalid=\"true\"");
        assertThat(frozen()).isEmpty();

        HttpResponse<String> done =
                desk.post(path + "/freeze", bruno, desk.url(), Map.of("reason", "<script>alert(1)</script>"));

        assertThat(done.statusCode()).isEqualTo(303);
        assertThat(done.headers().firstValue("Location")).contains(path + "?done=merchants.freeze");
        assertThat(frozen()).contains(desk.merchant.id());
        String page = desk.get(path + "?done=merchants.freeze", bruno).body();
        assertThat(page)
                .contains("The merchant is frozen.", "/unfreeze", "&lt;script&gt;alert(1)&lt;/script&gt;")
                .doesNotContain("<script>alert");
        assertThat(desk.get(path + "?done=%3Cscript%3E", bruno).body()).doesNotContain("role=\"status\"");
        JsonNode latest = desk.admin()
                .get("/admin/audit?merchant=" + desk.merchant.id())
                .expect(200)
                .json()
                .path("audit")
                .path(0);
        assertThat(latest.path("operator").asString()).isEqualTo("bruno");
        assertThat(latest.path("action").asString()).isEqualTo("POST /admin/merchants/{id}/freeze");
        assertThat(latest.path("status").asInt()).isEqualTo(200);
        assertThat(latest.path("request_id").asString())
                .isEqualTo(done.headers().firstValue("X-Request-Id").orElse("?"));

        desk.post(path + "/unfreeze", bruno, desk.url(), Map.of("reason", "a mistake"));
        assertThat(frozen()).isEmpty();
    }

    @Test
    void aConfirmationShowsWhatItIsAbout() {
        String merchant = "/console/merchants/" + desk.merchant.id();
        JsonNode key = desk.merchant
                .newKey("{\"mode\":\"test\",\"name\":\"to revoke\"}")
                .json();

        assertThat(desk.get("/console/transactions/" + desk.waiting + "/approve", ana)
                        .body())
                .contains("Café do Zé", "R$");
        assertThat(desk.get(merchant + "/freeze", bruno).body()).contains("Café do Zé");
        assertThat(desk.get(merchant + "/keys/" + key.path("id").asString() + "/revoke", bruno)
                        .body())
                .contains("to revoke", key.path("key").asString().substring(0, 12));
    }

    @Test
    void aFormShowsWhatIsSetAndKeepsWhatWasEntered() {
        String path = "/console/merchants/" + desk.merchant.id();
        assertThat(desk.get(path + "/fees", bruno).body()).contains("value=\"1.2500\"", "value=\"0.10\"");
        assertThat(desk.get(path + "/guard?mode=test", bruno).body())
                .contains("value=\"900.00\"", "name=\"mode\" value=\"test\"");

        String shown = desk.hidden(path + "/limits", bruno, "shown");
        HttpResponse<String> refused = desk.post(
                path + "/limits",
                bruno,
                desk.url(),
                Map.of(
                        "shown",
                        shown,
                        "cashin.amount_min",
                        "much",
                        "reads_per_second",
                        "7",
                        "cashout.amount_max",
                        "10.00"));

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body())
                .contains(
                        "value=\"much\"",
                        "value=\"7\"",
                        "name=\"shown\" value=\"" + shown,
                        "id=\"field-cashin-amount_min-error\"")
                .doesNotContain("field-cashout-amount_max-error");
        assertThat(desk.post(
                                path + "/limits",
                                bruno,
                                desk.url(),
                                Map.of("shown", shown, "cashin.amount_min", "1.00", "reads_per_second", "7"))
                        .statusCode())
                .isEqualTo(303);
        JsonNode limits = desk.admin()
                .get("/admin/merchants/" + desk.merchant.id())
                .expect(200)
                .json()
                .path("limits");
        assertThat(limits.path("cashin").path("amount_min").asString()).isEqualTo("1.00");
        assertThat(limits.path("reads_per_second").asInt()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fees            | {'cashout':{'fixed':'0.75'}}       | cashout.fixed    | 0.95",
                "limits          | {'writes_per_second':75}           | writes_per_second | 95",
                "guard?mode=live | {'mode':'live','day_max':'75.00'}  | day_max          | 95.00",
                "guard?mode=test | {'mode':'test','day_max':'75.00'}  | day_max          | 95.00"
            })
    void whatAnotherOneHasChangedMeanwhileIsNotOverwritten(String form, String change, String field, String value) {
        String path = "/merchants/" + desk.gateway.newMerchant().id() + "/";
        String page = "/console" + path + form;
        Map<String, String> entered = new HashMap<>(Map.of("shown", desk.hidden(page, bruno, "shown"), field, value));
        if (form.startsWith("guard")) {
            entered.put("mode", form.substring(form.indexOf('=') + 1));
        }
        desk.admin()
                .put("/admin" + path + form.replaceFirst("[?].*", ""), change.replace('\'', '"'))
                .expectSuccess();

        HttpResponse<String> refused = desk.post(page, bruno, desk.url(), entered);

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body())
                .contains("Somebody has changed this", "75")
                .doesNotContain(">" + value + "<", "value=\"" + value + "\"");
        entered.remove("shown");
        assertThat(desk.post(page, bruno, desk.url(), entered).statusCode()).isEqualTo(409);
        entered.put("shown", desk.hidden(page, bruno, "shown"));
        assertThat(desk.post(page, bruno, desk.url(), entered).statusCode()).isEqualTo(303);
        assertThat(desk.get(page, bruno).body()).contains("value=\"" + value + "\"");
    }

    @Test
    void anEndpointGetsWhatItHasMissed() {
        String page =
                desk.get("/console/merchants/" + desk.merchant.id(), bruno).body();
        Matcher link = Pattern.compile("/console/merchants/[0-9a-f-]+/endpoints/[0-9a-f-]+/replay")
                .matcher(page);
        assertThat(link.find()).isTrue();
        Matcher field = Pattern.compile("name=\"(from|to)\" value=\"([^\"]+)\"")
                .matcher(desk.get(link.group(), bruno).body());
        Map<String, String> form = new HashMap<>();
        while (field.find()) {
            form.put(field.group(1), field.group(2));
        }

        assertThat(form).containsOnlyKeys("from", "to");
        assertThat(desk.post(link.group(), bruno, desk.url(), form).headers().firstValue("Location"))
                .contains("/console/merchants/" + desk.merchant.id() + "?done=merchants.endpoints.replay");
    }

    @Test
    void aNewKeyIsShownOnce() {
        String key = desk.merchant
                .newKey("{\"mode\":\"test\",\"name\":\"to rotate\",\"scopes\":[\"cashins:write\"]}")
                .text("id");
        String path = "/console/merchants/" + desk.merchant.id() + "/keys/" + key;

        HttpResponse<String> rotated = desk.post(path + "/rotate", bruno, desk.url(), Map.of("overlap", ""));

        assertThat(rotated.statusCode()).isEqualTo(200);
        assertThat(rotated.body()).containsPattern("sk_test_[A-Za-z0-9_-]{43}");
        assertThat(desk.get("/console/merchants/" + desk.merchant.id(), bruno).body())
                .doesNotContainPattern("sk_test_[A-Za-z0-9_-]{43}");
        assertThat(desk.post(path + "/revoke", bruno, desk.url(), Map.of()).statusCode())
                .isEqualTo(303);
    }

    @Test
    void oneOperatorProposesAndAnotherOneConfirms() {
        String list = desk.get("/console/unsettled", ana).body();
        assertThat(list).contains("/console/resolutions/new?transaction=" + desk.unknown);
        assertThat(desk.post(
                                "/console/resolutions/new",
                                ana,
                                desk.url(),
                                Map.of("transaction", desk.unknown, "decision", "denied", "reason", "the bank says so"))
                        .headers()
                        .firstValue("Location"))
                .contains("/console/resolutions?done=resolutions.new");
        String proposed = desk.admin()
                .get("/admin/resolutions?state=proposed")
                .expect(200)
                .json()
                .path("resolutions")
                .path(0)
                .path("id")
                .asString();
        String path = "/console/resolutions/" + proposed;

        assertThat(desk.get("/console/resolutions", ana).body())
                .contains("/withdraw")
                .doesNotContain(path + "/confirm");
        HttpResponse<String> own = desk.post(path + "/confirm", ana, desk.url(), Map.of());
        assertThat(own.statusCode()).isEqualTo(403);
        assertThat(own.body()).contains("Another operator");

        assertThat(desk.get("/console/resolutions", bruno).body()).contains(path + "/confirm");
        assertThat(desk.get(path + "/confirm", bruno).body())
                .contains("was not paid", desk.unknown, "Café do Zé", "R$");
        assertThat(desk.post(path + "/confirm", bruno, desk.url(), Map.of("reason", "seen"))
                        .statusCode())
                .isEqualTo(303);
        assertThat(desk.get("/console/resolutions?state=confirmed", ana).body()).contains("confirmed", "bruno");
    }

    @Test
    void aProposalShowsTheMoneyAndLetsARefundBeChosen() {
        String path = "/console/resolutions/new?transaction=" + desk.refunding;
        assertThat(desk.get("/console/unsettled", ana).body()).contains(path.replace("&", "&amp;") + "\"");
        String payment = "E9999900420260310120000000000003";
        desk.insertUnmatched("simulator", payment);
        String form = desk.get(path, ana).body();
        Matcher option = Pattern.compile("<option value=\"([0-9a-f-]{36})\"[^>]*>R\\$\u00a07\\.50, [^<]+</option>")
                .matcher(form);

        assertThat(form).contains("Café do Zé", "R$\u00a050.00, ");
        assertThat(option.find()).isTrue();
        assertThat(desk.get("/console/resolutions/new?transaction=" + desk.unknown, ana)
                        .body())
                .contains("Café do Zé")
                .doesNotContain("name=\"refund\"");
        assertThat(desk.get("/console/resolutions/new?unmatched_payment=simulator%2F" + payment, ana)
                        .body())
                .contains("R$\u00a0150.75", "name=\"unmatched_payment\"");

        assertThat(desk.post(
                                "/console/resolutions/new",
                                ana,
                                desk.url(),
                                Map.of(
                                        "transaction",
                                        desk.refunding,
                                        "refund",
                                        option.group(1),
                                        "decision",
                                        "failed",
                                        "reason",
                                        "the bank says so"))
                        .statusCode())
                .isEqualTo(303);
        JsonNode proposed = desk.admin()
                .get("/admin/resolutions?state=proposed")
                .expect(200)
                .json()
                .path("resolutions")
                .path(0);
        assertThat(proposed.path("refund").asString()).isEqualTo(option.group(1));
        assertThat(desk.get("/console/resolutions/" + proposed.path("id").asString() + "/confirm", bruno)
                        .body())
                .contains("R$\u00a07.50, ");
        desk.admin()
                .post("/admin/resolutions/" + proposed.path("id").asString() + "/withdraw", "{\"reason\":\"a test\"}")
                .expect(200);
    }

    @ParameterizedTest
    @CsvSource({"reference, order-4711", "document, 529.982.247-25", "name, Café do", "number, #1", "e2e, x", "id, x"})
    void theSearchFindsByWhatIsKnown(String kind, String text) {
        String wanted =
                switch (kind) {
                    case "e2e" -> desk.stored.find(desk.paid).endToEndId();
                    case "id" -> desk.paid;
                    default -> text;
                };
        String page = desk.get("/console/search?q=" + ApiRequest.encoded(wanted), carla)
                .body();

        assertThat(page)
                .contains(
                        kind.equals("name") || kind.equals("number")
                                ? "/console/merchants/" + desk.merchant.id()
                                : "/console/transactions/" + desk.paid);
    }

    /** Of 5,000 merchants, a search covers five days. */
    @Test
    void aSearchByDocumentSaysHowFarItCameAndGoesOn() {
        Transaction old =
                Transactions.cashin(TransactionId.at(Instant.now().minus(Duration.ofDays(7))), new Amount(1_00));
        desk.stored.insert(List.of(old));
        desk.stored.withMerchants(5_000, () -> {
            String page = desk.get("/console/search?q=529.982.247-25", carla).body();
            assertThat(page)
                    .contains("/console/transactions/" + desk.paid)
                    .doesNotContain(old.id().toString());
            Matcher earlier =
                    Pattern.compile("href=\"([^\"]*)\"[^>]*>Search before ").matcher(page);
            assertThat(earlier.find()).isTrue();
            assertThat(desk.get(earlier.group(1).replace("&amp;", "&"), carla).body())
                    .contains("/console/transactions/" + old.id())
                    .doesNotContain(desk.paid)
                    .doesNotContain("Search before ");
            assertThat(desk.get("/console/search?q=390.533.447-05", carla).body())
                    .contains("Searched back to ", "Search before ")
                    .doesNotContain("No transaction.");
        });
        desk.stored.remove(
                CollectionNames.TRANSACTIONS, TransactionCodec.binary(old.id().value()));
    }

    @Test
    void aTransactionShowsItsTimelineWithoutPersonalData() {
        String page = desk.get("/console/transactions/" + desk.paid, carla).body();

        assertThat(page).contains("paid", "order-4711", "/console/merchants/" + desk.merchant.id());
        String key = desk.admin()
                .get("/admin/transactions/" + desk.paid)
                .expect(200)
                .json()
                .at("/timeline/0/by/key")
                .asString();
        assertThat(page).contains("key " + UUID.fromString(key));
        assertThat(page).doesNotContain("52998224725", "529.982.247-25", "Conceição", "987654321");
        assertThat(desk.get("/console/transactions/" + desk.waiting, ana).body())
                .contains("/console/transactions/" + desk.waiting + "/approve");
        assertThat(desk.get("/console/transactions/019cd827-d553-7abc-9def-0123456789ab", ana)
                        .statusCode())
                .isEqualTo(404);
        assertThat(desk.get("/console/transactions/..%2Fmerchants", ana).statusCode())
                .isEqualTo(404);
    }

    @Test
    @Order(MOVES_THE_CLOCK)
    void aSessionEndsAfterEightHoursAndAfterFifteenMinutesWithoutAPerson() {
        String used = desk.signIn(ANA);
        String unused = desk.signIn(ANA);
        Duration part = OperatorSessions.IDLE_MAX.minus(Duration.ofMinutes(1));
        long parts = OperatorSessions.LENGTH.dividedBy(part);
        for (long i = 0; i < parts; i++) {
            desk.gateway.clock().move(part);
            assertThat(desk.get("/console", used).statusCode()).isEqualTo(200);
            if (i < 2) {
                // what an open page asks for by itself is no use
                assertThat(desk.getByPage("/console", unused).statusCode()).isEqualTo(i == 0 ? 200 : 303);
            }
        }
        desk.gateway.clock().move(part);
        assertThat(desk.get("/console", used).statusCode()).isEqualTo(303);
        ana = desk.signIn(ANA);
        bruno = desk.signIn(BRUNO);
        carla = desk.signIn(CARLA);
    }

    /** Also where a proxy gives all of them one address. */
    @Test
    @Order(MOVES_THE_CLOCK)
    void wrongTokensAreSlowedAndLockNobodyElseOut() {
        Api stranger = desk.admin().withToken("a-wrong-token-of-nobody");
        for (int i = 0; i < 5; i++) {
            stranger.get("/admin/merchants").expectProblem(401, "unauthorized");
            HttpResponse<String> wrong = desk.post(
                    "/console/sign-in", "", desk.url(), Map.of("token", "another-wrong-token-of-nobody-" + i));
            assertThat(wrong.statusCode()).isEqualTo(403);
            assertThat(wrong.headers().firstValue("Set-Cookie")).isEmpty();
        }

        assertThat(desk.post("/console/sign-in", "", desk.url(), Map.of("token", "a-third-wrong-token"))
                        .statusCode())
                .isEqualTo(429);
        assertThat(stranger.get("/admin/merchants")
                        .expectProblem(429, "rate_limited")
                        .header("Retry-After"))
                .isEqualTo("60");
        desk.admin().get("/admin/merchants").expect(200);
        assertThat(desk.get("/console", desk.signIn(ANA)).statusCode()).isEqualTo(200);

        desk.gateway.clock().move(Duration.ofMinutes(1));
        stranger.get("/admin/merchants").expectProblem(401, "unauthorized");
    }

    /** Guesses at the rest of a token whose first half is known. */
    @Test
    @Order(MOVES_THE_CLOCK)
    void aTokenWithTheFirstHalfOfTenWrongOnesIsNotLookedAt() {
        Api guesser = desk.admin().withToken(BRUNO.replace("tests", "guess"));
        for (int i = 0; i < 10; i++) {
            assertThat(guesser.get("/admin/merchants").status()).isIn(401, 429);
        }

        desk.admin().withToken(BRUNO).get("/admin/merchants").expectProblem(429, "rate_limited");
        desk.admin().withToken(CARLA).get("/admin/merchants").expect(200);

        desk.gateway.clock().move(Duration.ofMinutes(1));
        desk.admin().withToken(BRUNO).get("/admin/merchants").expect(200);
    }

    @Test
    void whatNeedsAttentionLeadsToThePageOfItsRemedy() {
        JsonNode attention =
                desk.admin().get("/admin/status").expect(200).json().path("attention");

        assertThat(attention.valueStream().map(item -> item.path("name").asString()))
                .contains("RailOutcomeUnknown", "UnmatchedPayment", "BreakOpen", "CertificateEnds");
        assertThat(desk.get("/console", carla).body())
                .contains("<a href=\"https://wiki.example.com/runbooks/rail-unknowns.md\"");
        attention.forEach(
                item -> assertThat(desk.get(item.path("page").asString(), carla).statusCode())
                        .as(item.path("page").asString())
                        .isEqualTo(200));
    }

    @Test
    void theEventsNeedASession() {
        assertThat(desk.get("/console/events", "").statusCode()).isEqualTo(401);
    }

    private static String frozen() {
        return desk.admin()
                .get("/admin/cashouts-stop")
                .expect(200)
                .json()
                .path("frozen")
                .valueStream()
                .map(stop -> stop.path("merchant").asString())
                .reduce("", String::concat);
    }
}
