package dev.ligeiro.desk.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.infra.client.Answer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The merchants' console over HTTP: the way in, pages, forms, search, and a gateway that refuses or is away. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MerchantConsoleIT {

    private static final String ID = "01a1fe4e-0167-796a-8f30-506793ddb17b";
    private static final String ENDPOINT = "01a1fe4e-012d-7ff7-beac-1463f62e010d";
    private static final String DISPUTE = "6d0f2d1c-3c55-3b8e-9f0a-7d3f0b1a2c4d";
    private static final String SHOW = "GET /api/v1/transaction/{id}";
    private static final String LIST = "GET /api/v1/transactions";
    private static final String DEFEND = "POST /api/v1/disputes/*/defense";
    private static final String DELIVERIES = "GET /api/v1/webhooks/{id}/deliveries";

    private final RunningConsole console = new RunningConsole();

    @AfterAll
    void close() {
        console.close();
    }

    @BeforeEach
    void reset() {
        console.gateway().reset();
    }

    private PlayedGateway gateway() {
        return console.gateway();
    }

    @Test
    void aLinkShowsAButtonWhoseFormEnters() {
        Visitor visitor = console.visitor();

        assertThat(visitor.get("/console/enter/the-code").expect(200).body()).contains("Sign in");
        assertThat(gateway().requests("POST /api/v1/console-sessions/enter")).isEmpty();
        Answer entered = visitor.submit("/console/enter/the-code", Map.of()).expect(200);

        assertThat(path(entered)).isEqualTo("/console?lang=en");
        assertThat(sent("POST /api/v1/console-sessions/enter")).isEqualTo("{\"code\":\"the-code\"}");
        assertThat(gateway().requests("GET /api/v1/figures").get(0).token()).startsWith("Bearer cs_");
        assertThat(gateway().requests("GET /api/v1/figures").get(0).address()).isEqualTo("127.0.0.1");
        assertThat(entered.body()).doesNotContain("cs_");
    }

    @Test
    void aLinkThatWasUsedOpensNothing() {
        gateway().reply("POST /api/v1/console-sessions/enter", 404, Map.of("code", "not_found"));
        Visitor visitor = console.visitor();
        visitor.get("/console/enter/the-code");

        assertThat(visitor.submit("/console/enter/the-code", Map.of())
                        .expect(404)
                        .body())
                .contains("This link cannot be used");
        visitor.get("/console").expect(401);
    }

    @Test
    void theCookieIsForThisConsoleOnlyAndPagesRunNoForeignScript() {
        Answer page = console.visitor().get("/console/enter/the-code");

        assertThat(page.header("Set-Cookie"))
                .matches("ligeiro_console=[0-9A-F]{32}; Path=/; HttpOnly; SameSite=Strict");
        assertThat(page.header("Content-Security-Policy"))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.header("Cache-Control")).contains("no-store");
    }

    @Test
    void aSessionHasATokenOfItsOwnWhateverTheBrowserHasSent() {
        Visitor visitor = console.visitor();
        visitor.get("/console/enter/the-code");
        String before = visitor.cookie("ligeiro_console");

        visitor.submit("/console/enter/the-code", Map.of()).expect(200);

        assertThat(visitor.cookie("ligeiro_console")).isNotEmpty().isNotEqualTo(before);
    }

    /** The body of the first request. */
    private String sent(String operation) {
        return gateway().requests(operation).get(0).body();
    }

    /** The path and the query of a page, after all redirects. */
    private static String path(Answer page) {
        URI at = URI.create(page.request().split(" ")[1]);
        return at.getRawQuery() == null ? at.getRawPath() : at.getRawPath() + "?" + at.getRawQuery();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console",
                "/console?days=7",
                "/console/transactions",
                "/console/transactions/" + ID,
                "/console/transactions/" + ID + "/cancel",
                "/console/disputes",
                "/console/disputes/" + DISPUTE,
                "/console/endpoints",
                "/console/endpoints/new",
                "/console/endpoints/" + ENDPOINT,
                "/console/endpoints/" + ENDPOINT + "/edit",
                "/console/endpoints/" + ENDPOINT + "/rotate",
                "/console/endpoints/" + ENDPOINT + "/replays/" + ID,
                "/console/statement",
                "/console/access"
            })
    void pagesShowTheExamplesOfTheDescriptionInBothLanguages(String path) {
        Visitor visitor = console.signedIn();
        String mark = path.indexOf('?') < 0 ? "?" : "&";

        assertThat(visitor.get(path).expect(200).body())
                .contains("lang=\"en\"", "Sign out")
                .doesNotContain("${");
        assertThat(visitor.get(path + mark + "lang=pt-BR").expect(200).body()).contains("lang=\"pt-BR\"", "Sair");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/nothing",
                "/console/transactions/nothing",
                "/nothing",
                "/console/transactions/" + ID + "/nothing"
            })
    void anUnknownPageIsAPage(String path) {
        assertThat(console.signedIn().get(path).expect(404).body()).contains("There is no such page");
    }

    @Test
    void theFirstPageLeadsToTheConsole() {
        assertThat(console.visitor().get("/").expect(401).body()).contains("You are not signed in");
    }

    @Test
    void aFormOfAnotherSiteIsRefused() {
        Visitor visitor = console.signedIn();

        for (String token : List.of("", "another")) {
            Answer refused = visitor.post("/console/transactions/" + ID + "/cancel", Map.of("_csrf", token));
            assertThat(refused.expect(403).body()).contains("This form cannot be accepted");
        }
        assertThat(gateway().requests("POST /api/v1/transaction/*/cancel")).isEmpty();
    }

    @Test
    void onlyWhatTheSessionMayDoIsOffered() {
        Visitor reader = console.signedIn("live", "statement:read");

        Answer first = reader.get("/console").expect(200);

        assertThat(path(first)).isEqualTo("/console/statement");
        assertThat(first.body()).contains("Live mode").doesNotContain("/console/endpoints", "/console/transactions\"");
        gateway().reply(LIST, 403, Map.of("code", "insufficient_scope"));
        assertThat(reader.get("/console/transactions").expect(403).body()).contains("You may not do this");
    }

    @Test
    void aSessionEndsWithoutARequestByThePerson() {
        Visitor visitor = console.signedIn();
        for (int i = 0; i < 3; i++) {
            console.clock().move(Duration.ofMinutes(20));
            visitor.get("/console/access").expect(200);
        }

        console.clock().move(Duration.ofMinutes(20));
        visitor.refresh("/console/access").expect(200);
        console.clock().move(Duration.ofMinutes(11));
        visitor.refresh("/console/access").expect(401);

        assertThat(gateway().requests("DELETE /api/v1/console-sessions/*")).hasSize(1);
        visitor.get("/console/access").expect(401);
    }

    @Test
    void signingOutEndsTheSessionOfTheGateway() {
        Visitor visitor = console.signedIn();
        visitor.get("/console/access");

        visitor.submit("/console/sign-out", Map.of()).expect(401);

        assertThat(gateway().requests("DELETE /api/v1/console-sessions/*")).hasSize(1);
    }

    @Test
    void aSessionThatTheGatewayHasEndedIsOver() {
        Visitor visitor = console.signedIn();
        gateway().reply("GET /api/v1/keys", 401, Map.of("code", "unauthorized"));

        visitor.get("/console/access").expect(401);
        gateway().reset();

        visitor.get("/console/access").expect(401);
    }

    @Test
    void withoutTheGatewayPagesSaySoAndRecover() {
        Visitor visitor = console.signedIn();
        console.stopGateway();

        Answer away = visitor.get("/console/transactions").expect(503);
        assertThat(away.body()).contains("The system is not reached");
        assertThat(away.header("Refresh")).isEqualTo("5");
        console.startGateway();

        visitor.get("/console/transactions").expect(200);
    }

    @ParameterizedTest
    @CsvSource({
        "01a1fe4e-0167-796a-8f30-506793ddb17b,            /console/transactions/01a1fe4e-0167-796a-8f30-506793ddb17b",
        "evt_01a1fe4e0167796a8f30506793ddb17b_2,          /console/transactions/01a1fe4e-0167-796a-8f30-506793ddb17b",
        "E9999999920261121133112AbCdEfGhI,                /console/transactions?e2e_id=E9999999920261121133112AbCdEfGhI",
        "529.982.247-25,                                  /console/transactions?name_document=529.982.247-25",
        "Maria Silva,                                     /console/transactions?name_document=Maria+Silva",
        "+55 11 98765-4321,                               /console/transactions?phone=%2B55+11+98765-4321",
        "joao@example.com,                                /console/transactions?pix_key=joao%40example.com",
        "unknown,                                         /console/transactions?name_document=unknown",
        "sk_test_AbCd,                                    /console/access",
    })
    void theSearchBoxTakesWhatAPersonHas(String text, String leadsTo) {
        Map<String, Object> two = gateway().example(LIST);
        List<Object> twice = new ArrayList<>((List<?>) two.get("transactions"));
        twice.addAll(List.copyOf(twice));
        two.put("transactions", text.equals("unknown") ? List.of() : twice);
        gateway().reply(LIST, 200, two);

        Answer found = console.signedIn()
                .get("/console/search?q=" + text.replace("+", "%2B").replace(" ", "+"));

        assertThat(path(found.expect(200))).isEqualTo(leadsTo);
    }

    @Test
    void aSingleMatchIsShownItself() {
        Map<String, Object> one = gateway().example(LIST);
        one.put("transactions", List.of(first(one, "transactions")));
        gateway().reply(LIST, 200, one);

        Answer found = console.signedIn().get("/console/search?q=E9999999920261121133112AbCdEfGhI");

        assertThat(path(found.expect(200))).startsWith("/console/transactions/01");
        assertThat(gateway().requests(LIST).get(1).query()).isEqualTo("e2e_id=E9999999920261121133112AbCdEfGhI");
    }

    @Test
    void aRefundLeadsToItsTransaction() {
        Map<String, Object> one = gateway().example(LIST);
        one.put("transactions", List.of(first(one, "transactions")));
        gateway().reply(LIST, 200, one);
        gateway().reply(SHOW, 404, Map.of("code", "transaction_not_found"));
        String refund = "01a1fe60-1111-7222-8333-444455556666";

        Answer found = console.signedIn().get("/console/search?q=" + refund);

        assertThat(path(found)).isEqualTo("/console/transactions/" + ID);
        assertThat(gateway().requests(LIST).get(1).query()).isEqualTo("refund_id=" + refund);
    }

    @Test
    void aWrongFilterIsShownAtItsField() {
        Visitor visitor = console.signedIn();
        gateway()
                .reply(
                        LIST,
                        422,
                        Map.of(
                                "code",
                                "validation_failed",
                                "errors",
                                List.of(Map.of("field", "phone", "code", "invalid", "message", "expected a phone"))));

        assertThat(visitor.get("/console/transactions?phone=x").expect(422).body())
                .contains("id=\"phone-error\"", "This is not valid:", "expected a phone", "value=\"x\"");
    }

    private Map<String, Object> transaction(Map<String, Object> members) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.putAll(first(gateway().example(SHOW), "transaction"));
        one.put("id", ID);
        one.putAll(members);
        gateway().reply(SHOW, 200, Map.of("transaction", List.of(one)));
        return one;
    }

    /** A copy of the first item of a list. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> first(Map<String, Object> answer, String list) {
        return new LinkedHashMap<>(((List<Map<String, Object>>) answer.getOrDefault(list, List.of())).get(0));
    }

    @Test
    void aRefundConfirmsItsSumBeforeItIsMade() {
        transaction(Map.of("operation", "cashin", "status", "paid", "amount", "1500.00", "refunded_amount", "250.00"));
        Visitor visitor = console.signedIn();
        String form = "/console/transactions/" + ID + "/refund";

        assertThat(visitor.get(form).expect(200).body()).contains("1,250.00 can be refunded");
        assertThat(visitor.submit(form, Map.of("amount", "")).expect(422).body())
                .contains("Write an amount such as");
        assertThat(visitor.submit(form, Map.of("amount", "1.250,01"))
                        .expect(422)
                        .body())
                .contains("This is more than is left");
        Map<String, String> fields = new LinkedHashMap<>(Map.of("amount", "1.250,00", "once", "once-1"));
        assertThat(visitor.submit(form, fields).expect(200).body())
                .contains("name=\"confirmed\" value=\"1250.00\"", "go back to the payer");
        assertThat(gateway().requests("POST /api/v1/transaction/*/refund")).isEmpty();
        fields.put("confirmed", "1250.00");
        Answer done = visitor.submit(form, fields).expect(200);

        assertThat(path(done)).isEqualTo("/console/transactions/" + ID);
        PlayedGateway.Request sent =
                gateway().requests("POST /api/v1/transaction/*/refund").get(0);
        assertThat(sent.body()).isEqualTo("{\"amount\":\"1250.00\"}");
        assertThat(sent.once()).isEqualTo("once-1");
    }

    @Test
    void aFailedRefundIsNotGreetedInGreen() {
        transaction(Map.of("operation", "cashin", "status", "paid", "amount", "10.00", "refunded_amount", "0.00"));
        Map<String, Object> refunds = gateway().example("GET /api/v1/transaction/{id}/refunds");
        Map<String, Object> failed = first(refunds, "refunds");
        failed.put("status", "failed");
        gateway().reply("GET /api/v1/transaction/{id}/refunds", 200, Map.of("refunds", List.of(failed)));
        Visitor visitor = console.signedIn();
        visitor.get("/console/transactions/" + ID + "/refund");

        Answer done =
                visitor.submit("/console/transactions/" + ID + "/refund", Map.of("amount", "10", "confirmed", "10.00"));

        assertThat(done.body())
                .contains("notice bad\" role=\"alert\">The refund has failed")
                .doesNotContain("notice good");
    }

    @Test
    void aCashoutThatWaitsForApprovalCanBeCanceled() {
        transaction(Map.of("operation", "cashout", "status", "in_analysis"));
        Visitor visitor = console.signedIn();

        assertThat(visitor.get("/console/transactions/" + ID).body())
                .contains("/" + ID + "/cancel", "/" + ID + "/approve", "/" + ID + "/reject");
        visitor.get("/console/transactions/" + ID + "/cancel");
        gateway().reply("POST /api/v1/transaction/*/cancel", 409, Map.of("code", "invalid_transition"));
        assertThat(visitor.submit("/console/transactions/" + ID + "/cancel", Map.of())
                        .expect(409)
                        .body())
                .contains("The status of the transaction does not allow this any more");
    }

    @Test
    void aDisputeIsFoundFromItsTransactionAndDefendedOnce() {
        gateway()
                .reply(
                        "GET /api/v1/transaction/{id}/history",
                        200,
                        Map.of(
                                "history",
                                List.of(Map.ofEntries(
                                        Map.entry("date_created", "2026-11-21 16:02:11"),
                                        Map.entry("type", "dispute_opened"),
                                        Map.entry("status", "paid"),
                                        Map.entry("source", "rail"),
                                        Map.entry("reason", ""),
                                        Map.entry("description", "")))));
        Map<String, Object> list = gateway().example("GET /api/v1/disputes");
        list.put("next_cursor", "cur_next");
        gateway().reply("GET /api/v1/disputes", 200, list);
        String page = "/console/disputes/" + DISPUTE;
        dispute("open", console.clock().instant().plusSeconds(60));
        Visitor visitor = console.signedIn();

        String all = "/console/disputes?transaction_id=" + ID;
        assertThat(visitor.get("/console/transactions/" + ID).expect(200).body())
                .contains("href=\"" + all + "\"");
        assertThat(visitor.get(all + "&status=open").expect(200).body())
                .contains(page, "?transaction_id=" + ID + "&amp;status=open&after=cur_next");
        assertThat(gateway().requests("GET /api/v1/disputes").get(0).query())
                .contains("status=open", "transaction_id=" + ID);
        assertThat(visitor.get(page).expect(200).body())
                .contains("/console/transactions/" + ID, "golpe", "1313", "name=\"text\"");

        assertThat(visitor.submit(page + "/defense", Map.of("text", " "))
                        .expect(422)
                        .body())
                .contains("id=\"text-error\"", "This is needed");
        assertThat(gateway().requests(DEFEND)).isEmpty();
        gateway().reply(DEFEND, 409, Map.of("code", "defense_rejected"));
        Map<String, String> fields = Map.of("text", "It was delivered.\r\nSee 4711.", "once", "once-1");
        assertThat(visitor.submit(page + "/defense", fields).expect(409).body())
                .contains("The bank does not take the defence", ">It was delivered. See 4711.</textarea>")
                .doesNotContain("once-1");
        gateway().reply(DEFEND, 202, gateway().example("GET /api/v1/disputes/{id}"));
        Answer done = visitor.submit(page + "/defense", fields).expect(200);

        assertThat(path(done)).isEqualTo(page);
        assertThat(done.body()).contains("It will be done in a moment");
        assertThat(sent(DEFEND)).isEqualTo("{\"text\":\"It was delivered. See 4711.\"}");
        assertThat(gateway().requests(DEFEND).get(1).once()).isEqualTo("once-1");
    }

    private void dispute(String status, Instant deadline) {
        Map<String, Object> dispute = gateway().example("GET /api/v1/disputes/{id}");
        dispute.put("status", status);
        dispute.put("deadline", deadline.toString());
        gateway().reply("GET /api/v1/disputes/{id}", 200, dispute);
    }

    @Test
    void aDefenceIsOfferedOnlyWhileItIsPossible() {
        Visitor visitor = console.signedIn();
        Visitor reader = console.signedIn("live", "transactions:read");
        String page = "/console/disputes/" + DISPUTE;
        Instant now = console.clock().instant();

        dispute("open", now.plusSeconds(60));
        assertThat(visitor.get(page).expect(200).body()).contains("<textarea");
        assertThat(reader.get(page).expect(200).body()).doesNotContain("<textarea");
        dispute("open", now.minusSeconds(1));
        assertThat(visitor.get(page).expect(200).body()).doesNotContain("<textarea");
        dispute("defended", now.plusSeconds(60));
        assertThat(visitor.get(page).expect(200).body()).doesNotContain("<textarea");
    }

    @Test
    void aPaidTransactionHasAReceipt() {
        transaction(Map.of("operation", "cashin", "status", "paid"));
        Visitor visitor = console.signedIn();

        assertThat(visitor.get("/console/transactions/" + ID).body()).contains("/receipt");
        assertThat(visitor.get("/console/transactions/" + ID + "/receipt")
                        .expect(200)
                        .body())
                .contains("Receipt", "Payer", "End-to-end id");
        transaction(Map.of("operation", "cashin", "status", "pending"));
        assertThat(path(visitor.get("/console/transactions/" + ID + "/receipt")))
                .doesNotContain("receipt");
    }

    @Test
    void anEndpointBeginsWithTheCauseAndIsTriedOnItsPage() {
        Map<String, Object> endpoint = gateway().example("GET /api/v1/webhooks/{id}");
        endpoint.put("failing_since", "2026-11-21 10:31:29");
        gateway().reply("GET /api/v1/webhooks/{id}", 200, endpoint);
        Map<String, Object> delivery = first(gateway().example(DELIVERIES), "deliveries");
        Visitor visitor = console.signedIn();

        assertThat(visitor.get("/console/endpoints/" + ENDPOINT).body())
                .contains("Failing", "rejected 500", "21 Nov 2026, 10:31 (GMT-3)", "Waiting to be sent", "Try now");
        gateway().reply("POST /api/v1/webhooks/*/deliveries/*/redeliver", 202, delivery);
        Answer tried = visitor.submit("/console/endpoints/" + ENDPOINT + "/try", Map.of())
                .expect(200);
        assertThat(path(tried)).contains("tried=dlv_", "attempts=1");
        assertThat(tried.body()).contains("On its way");

        delivery.put("attempts", List.of(attempt("rejected", 500), attempt("delivered", 204)));
        gateway().reply(DELIVERIES, 200, Map.of("deliveries", List.of(delivery)));
        assertThat(visitor.refresh(path(tried)).body()).contains("badge good\">delivered 204");
    }

    private static Map<String, Object> attempt(String outcome, int status) {
        return Map.of("at", "2026-11-21 10:31:29", "outcome", outcome, "status_code", status, "duration_ms", 12);
    }

    @Test
    void endpointsAreAddedAndEdited() {
        Visitor visitor = console.signedIn();
        assertThat(visitor.get("/console/endpoints/new").body()).contains("value=\"transaction.paid\" checked");
        assertThat(visitor.submit("/console/endpoints", Map.of("url", ""))
                        .expect(422)
                        .body())
                .contains("id=\"url-error\"", "This is needed", "id=\"events-error\"");
        assertThat(gateway().requests("POST /api/v1/webhooks")).isEmpty();

        Answer added =
                visitor.submit("/console/endpoints", Map.of("url", "https://a.example", "events", "transaction.paid"));
        assertThat(added.expect(200).body()).contains("whsec_", "Copy it now");
        assertThat(sent("POST /api/v1/webhooks"))
                .isEqualTo("{\"url\":\"https://a.example\",\"events\":[\"transaction.paid\"]}");

        Map<String, Object> wrong = Map.of("field", "url", "code", "invalid", "message", "expected https");
        gateway().reply("PATCH /api/v1/webhooks/*", 422, Map.of("code", "validation_failed", "errors", List.of(wrong)));
        assertThat(visitor.submit(
                                "/console/endpoints/" + ENDPOINT + "/edit",
                                Map.of("url", "ftp://a", "events", "transaction.paid"))
                        .expect(422)
                        .body())
                .contains("id=\"url-error\"", "expected https", "value=\"ftp://a\"");
    }

    @Test
    void aReplayHasTimesOfTheInstallationsZone() {
        Visitor visitor = console.signedIn();
        String page = "/console/endpoints/" + ENDPOINT;
        assertThat(visitor.get(page).body()).contains("America/Sao_Paulo");
        assertThat(visitor.submit(page + "/replay", Map.of("from", "yesterday", "to", "", "status", "undelivered"))
                        .expect(422)
                        .body())
                .contains("id=\"from-error\"");
        assertThat(visitor.submit(page + "/replay", Map.of("from", "", "to", "", "status", "undelivered"))
                        .expect(422)
                        .body())
                .contains("id=\"from-error\"", "id=\"to-error\"");

        visitor.submit(
                        page + "/replay",
                        Map.of("from", "2026-11-20T10:00", "to", "2026-11-21T10:00", "status", "exhausted"))
                .expect(200);

        assertThat(sent("POST /api/v1/webhooks/*/replay"))
                .contains("\"from\":\"2026-11-20T10:00:00-03:00\"", "\"status\":\"exhausted\"");
    }

    @Test
    void theFirstStepsEndWithAWebhook() {
        gateway().reply(LIST, 200, Map.of("transactions", List.of(), "current_page", 1, "last_page", 1, "total", 0));
        gateway().reply(DELIVERIES, 200, Map.of("deliveries", List.of()));
        gateway().reply("POST /api/v1/transaction/pix/cashin", 201, gateway().example(SHOW));
        Visitor visitor = console.signedIn();

        Answer overview = visitor.get("/console").expect(200);
        assertThat(overview.body()).contains("First steps", "name=\"platform\"", "Create and pay");
        visitor.submit("/console/first-cashin", Map.of("platform", "p", "amount", "1.000,00", "once", "k"))
                .expect(200);

        assertThat(sent("POST /api/v1/transaction/pix/cashin"))
                .contains("\"amount\":\"1000.00\"", "\"platform\":\"p\"");
        assertThat(gateway().requests("POST /api/v1/sandbox/transaction/*/pay")).hasSize(1);
        gateway().reset();
        assertThat(visitor.get("/console").expect(200).body()).doesNotContain("First steps");
    }

    @Test
    void eachFigureLeadsToItsList() {
        assertThat(console.signedIn().get("/console?days=7").body())
                .contains(
                        "&operation=cashin&status=paid\">8</a>",
                        "&operation=cashout&status=paid\">",
                        "<tr data-day=\"2026-11-21\"");
        assertThat(gateway().requests("GET /api/v1/figures").get(1).query()).isEqualTo("days=7");
    }

    @Test
    void aBundleIsSentOnAndWithoutOneThePageSaysWhy() {
        String page = "/console/transactions/01a1fe4e-0167-796a-8f30-506793ddb17b";
        Visitor visitor = console.signedIn().following();
        gateway().reply("GET /api/v1/transaction/*/bundle", 200, "an archive");

        Answer file = visitor.get(page + "/bundle").expect(200);
        assertThat(file.body()).isEqualTo("an archive");
        assertThat(file.header("Content-Type")).isEqualTo("application/zip");
        gateway().reply("GET /api/v1/transaction/*/bundle", 409, Map.of("code", "bundles_not_configured"));

        assertThat(visitor.get(page + "/bundle").expect(200).body())
                .contains("The operator has set up no key", page + "/bundle");
    }

    @Test
    void aTransactionShowsWhatLinksItToBankAndTaxDocument() {
        transaction(Map.of("fiscal", Map.of("installment", "1/3")));

        assertThat(console.signedIn()
                        .get("/console/transactions/" + ID)
                        .expect(200)
                        .body())
                .contains("<code>01a1fe4e0167796a8f30506793ddb17b</code>", "installment: 1/3");
    }

    @Test
    void aStatementHasThreeFilesAndSaysWhatIsBlocked() {
        gateway().reply("GET /api/v1/statement.ofx", 200, "<OFX/>");
        Visitor visitor = console.signedIn();

        assertThat(visitor.get("/console/statement?initial_date=2026-11-21")
                        .expect(200)
                        .body())
                .contains("Blocked by disputes", "/console/statement.csv?", "/console/statement.xml?");
        assertThat(visitor.get("/console/statement.ofx?initial_date=2026-11-21")
                        .expect(200)
                        .body())
                .isEqualTo("<OFX/>");
        assertThat(gateway().requests("GET /api/v1/statement.ofx").get(0).query())
                .isEqualTo("initial_date=2026-11-21");
    }

    @Test
    void aFileIsSentOnWithItsFilters() {
        gateway().reply("GET /api/v1/transactions.csv", 200, "id,amount\n1,2\n");

        Answer file = console.signedIn()
                .get("/console/transactions/list.csv?name_document=Jos%C3%A9&amount_min=1.000,50&page=2");

        assertThat(file.expect(200).body()).isEqualTo("id,amount\n1,2\n");
        assertThat(gateway().requests("GET /api/v1/transactions.csv").get(0).query())
                .isEqualTo("name_document=José&amount_min=1000.50");
    }
}
