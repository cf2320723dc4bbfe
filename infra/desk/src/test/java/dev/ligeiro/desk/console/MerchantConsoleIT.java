package dev.ligeiro.desk.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.console.Visit.Page;
import java.time.Duration;
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
    private static final String SHOW = "GET /api/v1/transaction/{id}";
    private static final String LIST = "GET /api/v1/transactions";
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
        Visit visit = console.visit();

        assertThat(visit.get("/console/enter/the-code").expect(200).html()).contains("Sign in");
        assertThat(gateway().requests("POST /api/v1/console-sessions/enter")).isEmpty();
        Page entered = visit.post("/console/enter/the-code", Map.of()).expect(200);

        assertThat(entered.path()).isEqualTo("/console?lang=en");
        assertThat(gateway()
                        .requests("POST /api/v1/console-sessions/enter")
                        .get(0)
                        .body())
                .isEqualTo("{\"code\":\"the-code\"}");
        assertThat(gateway().requests("GET /api/v1/figures").get(0).token()).startsWith("Bearer cs_");
        assertThat(gateway().requests("GET /api/v1/figures").get(0).address()).isEqualTo("127.0.0.1");
        assertThat(entered.html()).doesNotContain("cs_");
    }

    @Test
    void aLinkThatWasUsedOpensNothing() {
        gateway().reply("POST /api/v1/console-sessions/enter", 404, Map.of("code", "not_found"));
        Visit visit = console.visit();
        visit.get("/console/enter/the-code");

        assertThat(visit.post("/console/enter/the-code", Map.of()).expect(404).html())
                .contains("This link cannot be used");
        visit.get("/console").expect(401);
    }

    @Test
    void theCookieIsForThisConsoleOnlyAndPagesRunNoForeignScript() {
        Page page = console.visit().get("/console/enter/the-code");

        assertThat(page.response().headers().firstValue("Set-Cookie").orElse(""))
                .matches("ligeiro_console=[0-9A-F]{32}; Path=/; HttpOnly; SameSite=Strict");
        assertThat(page.response()
                        .headers()
                        .firstValue("Content-Security-Policy")
                        .orElse(""))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.response().headers().firstValue("Cache-Control").orElse(""))
                .contains("no-store");
    }

    @Test
    void aSessionHasATokenOfItsOwnWhateverTheBrowserHasSent() {
        Visit visit = console.visit();
        String before = cookie(visit.get("/console/enter/the-code"));

        Page entered = visit.post("/console/enter/the-code", Map.of());

        assertThat(cookie(entered.response()
                        .previousResponse()
                        .orElseThrow()
                        .headers()
                        .firstValue("Set-Cookie")
                        .orElse("")))
                .isNotEmpty()
                .isNotEqualTo(before);
    }

    private static String cookie(Page page) {
        return cookie(page.response().headers().firstValue("Set-Cookie").orElse(""));
    }

    private static String cookie(String header) {
        return header.replaceFirst(";.*", "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console",
                "/console?days=7",
                "/console/transactions",
                "/console/transactions/" + ID,
                "/console/transactions/" + ID + "/cancel",
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
        Visit visit = console.signedIn();
        String mark = path.indexOf('?') < 0 ? "?" : "&";

        assertThat(visit.get(path).expect(200).html())
                .contains("lang=\"en\"", "Sign out")
                .doesNotContain("${");
        assertThat(visit.get(path + mark + "lang=pt-BR").expect(200).html()).contains("lang=\"pt-BR\"", "Sair");
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
        assertThat(console.signedIn().get(path).expect(404).html()).contains("There is no such page");
    }

    @Test
    void theFirstPageLeadsToTheConsole() {
        assertThat(console.visit().get("/").expect(401).html()).contains("You are not signed in");
    }

    @Test
    void aFormOfAnotherSiteIsRefused() {
        Visit visit = console.signedIn();

        for (String token : List.of("", "another")) {
            Page refused = visit.postWithToken("/console/transactions/" + ID + "/cancel", token, Map.of());
            assertThat(refused.expect(403).html()).contains("This form cannot be accepted");
        }
        assertThat(gateway().requests("POST /api/v1/transaction/*/cancel")).isEmpty();
    }

    @Test
    void onlyWhatTheSessionMayDoIsOffered() {
        Visit reader = console.signedIn("live", "statement:read");

        Page first = reader.get("/console").expect(200);

        assertThat(first.path()).isEqualTo("/console/statement");
        assertThat(first.html()).contains("Live mode").doesNotContain("/console/endpoints", "/console/transactions\"");
        gateway().reply(LIST, 403, Map.of("code", "insufficient_scope"));
        assertThat(reader.get("/console/transactions").expect(403).html()).contains("You may not do this");
    }

    @Test
    void aSessionEndsWithoutARequestByThePerson() {
        Visit visit = console.signedIn();
        for (int i = 0; i < 3; i++) {
            console.clock().move(Duration.ofMinutes(20));
            visit.get("/console/access").expect(200);
        }

        console.clock().move(Duration.ofMinutes(20));
        visit.refresh("/console/access").expect(200);
        console.clock().move(Duration.ofMinutes(11));
        visit.refresh("/console/access").expect(401);

        assertThat(gateway().requests("DELETE /api/v1/console-sessions/*")).hasSize(1);
        visit.get("/console/access").expect(401);
    }

    @Test
    void signingOutEndsTheSessionOfTheGateway() {
        Visit visit = console.signedIn();
        visit.get("/console/access");

        visit.post("/console/sign-out", Map.of()).expect(401);

        assertThat(gateway().requests("DELETE /api/v1/console-sessions/*")).hasSize(1);
    }

    @Test
    void aSessionThatTheGatewayHasEndedIsOver() {
        Visit visit = console.signedIn();
        gateway().reply("GET /api/v1/keys", 401, Map.of("code", "unauthorized"));

        visit.get("/console/access").expect(401);
        gateway().reset();

        visit.get("/console/access").expect(401);
    }

    @Test
    void withoutTheGatewayPagesSaySoAndRecover() {
        Visit visit = console.signedIn();
        console.stopGateway();

        Page away = visit.get("/console/transactions").expect(503);
        assertThat(away.html()).contains("The system is not reached");
        assertThat(away.response().headers().firstValue("Refresh")).hasValue("5");
        console.startGateway();

        visit.get("/console/transactions").expect(200);
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

        Page found = console.signedIn()
                .get("/console/search?q=" + text.replace("+", "%2B").replace(" ", "+"));

        assertThat(found.expect(200).path()).isEqualTo(leadsTo);
    }

    @Test
    void aSingleMatchIsShownItself() {
        Map<String, Object> one = gateway().example(LIST);
        one.put("transactions", List.of(first(one, "transactions")));
        gateway().reply(LIST, 200, one);

        Page found = console.signedIn().get("/console/search?q=E9999999920261121133112AbCdEfGhI");

        assertThat(found.expect(200).path()).startsWith("/console/transactions/01");
        assertThat(gateway().requests(LIST).get(1).query()).isEqualTo("e2e_id=E9999999920261121133112AbCdEfGhI");
    }

    @Test
    void aRefundLeadsToItsTransaction() {
        Map<String, Object> one = gateway().example(LIST);
        one.put("transactions", List.of(first(one, "transactions")));
        gateway().reply(LIST, 200, one);
        gateway().reply(SHOW, 404, Map.of("code", "transaction_not_found"));
        String refund = "01a1fe60-1111-7222-8333-444455556666";

        Page found = console.signedIn().get("/console/search?q=" + refund);

        assertThat(found.path()).isEqualTo("/console/transactions/" + ID);
        assertThat(gateway().requests(LIST).get(1).query()).isEqualTo("refund_id=" + refund);
    }

    @Test
    void aWrongFilterIsShownAtItsField() {
        Visit visit = console.signedIn();
        gateway()
                .reply(
                        LIST,
                        422,
                        Map.of(
                                "code",
                                "validation_failed",
                                "errors",
                                List.of(Map.of("field", "phone", "code", "invalid", "message", "expected a phone"))));

        assertThat(visit.get("/console/transactions?phone=x").expect(422).html())
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
        Visit visit = console.signedIn();
        String form = "/console/transactions/" + ID + "/refund";

        assertThat(visit.get(form).expect(200).html()).contains("1,250.00 can be refunded");
        assertThat(visit.post(form, Map.of("amount", "")).expect(422).html()).contains("Write an amount such as");
        assertThat(visit.post(form, Map.of("amount", "1.250,01")).expect(422).html())
                .contains("This is more than is left");
        Map<String, String> fields = new LinkedHashMap<>(Map.of("amount", "1.250,00", "once", "once-1"));
        assertThat(visit.post(form, fields).expect(200).html())
                .contains("name=\"confirmed\" value=\"1250.00\"", "go back to the payer");
        assertThat(gateway().requests("POST /api/v1/transaction/*/refund")).isEmpty();
        fields.put("confirmed", "1250.00");
        Page done = visit.post(form, fields).expect(200);

        assertThat(done.path()).isEqualTo("/console/transactions/" + ID);
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
        Visit visit = console.signedIn();
        visit.get("/console/transactions/" + ID + "/refund");

        Page done = visit.post("/console/transactions/" + ID + "/refund", Map.of("amount", "10", "confirmed", "10.00"));

        assertThat(done.html())
                .contains("notice bad\" role=\"alert\">The refund has failed")
                .doesNotContain("notice good");
    }

    @Test
    void aCashoutThatWaitsForApprovalCanBeCanceled() {
        transaction(Map.of("operation", "cashout", "status", "in_analysis"));
        Visit visit = console.signedIn();

        assertThat(visit.get("/console/transactions/" + ID).html())
                .contains("/" + ID + "/cancel", "/" + ID + "/approve", "/" + ID + "/reject");
        visit.get("/console/transactions/" + ID + "/cancel");
        gateway().reply("POST /api/v1/transaction/*/cancel", 409, Map.of("code", "invalid_transition"));
        assertThat(visit.post("/console/transactions/" + ID + "/cancel", Map.of())
                        .expect(409)
                        .html())
                .contains("The status of the transaction does not allow this any more");
    }

    @Test
    void aPaidTransactionHasAReceipt() {
        transaction(Map.of("operation", "cashin", "status", "paid"));
        Visit visit = console.signedIn();

        assertThat(visit.get("/console/transactions/" + ID).html()).contains("/receipt");
        assertThat(visit.get("/console/transactions/" + ID + "/receipt")
                        .expect(200)
                        .html())
                .contains("Receipt", "Payer", "End-to-end id");
        transaction(Map.of("operation", "cashin", "status", "pending"));
        assertThat(visit.get("/console/transactions/" + ID + "/receipt").path()).doesNotContain("receipt");
    }

    @Test
    void anEndpointBeginsWithTheCauseAndIsTriedOnItsPage() {
        Map<String, Object> endpoint = gateway().example("GET /api/v1/webhooks/{id}");
        endpoint.put("failing_since", "2026-11-21 10:31:29");
        gateway().reply("GET /api/v1/webhooks/{id}", 200, endpoint);
        Map<String, Object> delivery = first(gateway().example(DELIVERIES), "deliveries");
        Visit visit = console.signedIn();

        assertThat(visit.get("/console/endpoints/" + ENDPOINT).html())
                .contains("Failing", "rejected 500", "21 Nov 2026, 10:31 (GMT-3)", "Waiting to be sent", "Try now");
        gateway().reply("POST /api/v1/webhooks/*/deliveries/*/redeliver", 202, delivery);
        Page tried =
                visit.post("/console/endpoints/" + ENDPOINT + "/try", Map.of()).expect(200);
        assertThat(tried.path()).contains("tried=dlv_", "attempts=1");
        assertThat(tried.html()).contains("On its way");

        delivery.put("attempts", List.of(attempt("rejected", 500), attempt("delivered", 204)));
        gateway().reply(DELIVERIES, 200, Map.of("deliveries", List.of(delivery)));
        assertThat(visit.refresh(tried.path()).html()).contains("badge good\">delivered 204");
    }

    private static Map<String, Object> attempt(String outcome, int status) {
        return Map.of("at", "2026-11-21 10:31:29", "outcome", outcome, "status_code", status, "duration_ms", 12);
    }

    @Test
    void endpointsAreAddedAndEdited() {
        Visit visit = console.signedIn();
        assertThat(visit.get("/console/endpoints/new").html()).contains("value=\"transaction.paid\" checked");
        assertThat(visit.post("/console/endpoints", Map.of("url", ""))
                        .expect(422)
                        .html())
                .contains("id=\"url-error\"", "This is needed", "id=\"events-error\"");
        assertThat(gateway().requests("POST /api/v1/webhooks")).isEmpty();

        Page added = visit.post("/console/endpoints", Map.of("url", "https://a.example", "events", "transaction.paid"));
        assertThat(added.expect(200).html()).contains("whsec_", "Copy it now");
        assertThat(gateway().requests("POST /api/v1/webhooks").get(0).body())
                .isEqualTo("{\"url\":\"https://a.example\",\"events\":[\"transaction.paid\"]}");

        Map<String, Object> wrong = Map.of("field", "url", "code", "invalid", "message", "expected https");
        gateway().reply("PATCH /api/v1/webhooks/*", 422, Map.of("code", "validation_failed", "errors", List.of(wrong)));
        assertThat(visit.post(
                                "/console/endpoints/" + ENDPOINT + "/edit",
                                Map.of("url", "ftp://a", "events", "transaction.paid"))
                        .expect(422)
                        .html())
                .contains("id=\"url-error\"", "expected https", "value=\"ftp://a\"");
    }

    @Test
    void aReplayHasTimesOfTheInstallationsZone() {
        Visit visit = console.signedIn();
        String page = "/console/endpoints/" + ENDPOINT;
        assertThat(visit.get(page).html()).contains("America/Sao_Paulo");
        assertThat(visit.post(page + "/replay", Map.of("from", "yesterday", "to", "", "status", "undelivered"))
                        .expect(422)
                        .html())
                .contains("id=\"from-error\"");
        assertThat(visit.post(page + "/replay", Map.of("from", "", "to", "", "status", "undelivered"))
                        .expect(422)
                        .html())
                .contains("id=\"from-error\"", "id=\"to-error\"");

        visit.post(
                        page + "/replay",
                        Map.of("from", "2026-11-20T10:00", "to", "2026-11-21T10:00", "status", "exhausted"))
                .expect(200);

        assertThat(gateway().requests("POST /api/v1/webhooks/*/replay").get(0).body())
                .contains("\"from\":\"2026-11-20T10:00:00-03:00\"", "\"status\":\"exhausted\"");
    }

    @Test
    void theFirstStepsEndWithAWebhook() {
        gateway().reply(LIST, 200, Map.of("transactions", List.of(), "current_page", 1, "last_page", 1, "total", 0));
        gateway().reply(DELIVERIES, 200, Map.of("deliveries", List.of()));
        gateway().reply("POST /api/v1/transaction/pix/cashin", 201, gateway().example(SHOW));
        Visit visit = console.signedIn();

        Page overview = visit.get("/console").expect(200);
        assertThat(overview.html()).contains("First steps", "name=\"platform\"", "Create and pay");
        visit.post("/console/first-cashin", Map.of("platform", "p", "amount", "1.000,00", "once", "k"))
                .expect(200);

        assertThat(gateway()
                        .requests("POST /api/v1/transaction/pix/cashin")
                        .get(0)
                        .body())
                .contains("\"amount\":\"1000.00\"", "\"platform\":\"p\"");
        assertThat(gateway().requests("POST /api/v1/sandbox/transaction/*/pay")).hasSize(1);
        gateway().reset();
        assertThat(visit.get("/console").expect(200).html()).doesNotContain("First steps");
    }

    @Test
    void eachFigureLeadsToItsList() {
        assertThat(console.signedIn().get("/console?days=7").html())
                .contains(
                        "&operation=cashin&status=paid\">8</a>",
                        "&operation=cashout&status=paid\">",
                        "<tr data-day=\"2026-11-21\"");
        assertThat(gateway().requests("GET /api/v1/figures").get(1).query()).isEqualTo("days=7");
    }

    @Test
    void aFileIsSentOnWithItsFilters() {
        gateway().reply("GET /api/v1/transactions.csv", 200, "id,amount\n1,2\n");

        Page file = console.signedIn().get("/console/transactions/list.csv?name_document=Jos%C3%A9&page=2");

        assertThat(file.expect(200).html()).isEqualTo("id,amount\n1,2\n");
        assertThat(gateway().requests("GET /api/v1/transactions.csv").get(0).query())
                .isEqualTo("name_document=José");
    }
}
