package dev.ligeiro.gateway.page.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.PlayedProcessor;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Status;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The merchant's console over HTTP: sessions, forms, permissions, and what it shows of another merchant. */
@ExtendWith(SharedGateway.class)
class ConsoleIT {

    private static final String SESSIONS = "/api/v1/console-sessions";

    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final PlayedProcessor processor;

    ConsoleIT(RunningGateway gateway) {
        this.gateway = gateway;
        this.merchant = gateway.newMerchant();
        this.processor = new PlayedProcessor(gateway);
    }

    @AfterEach
    void close() {
        processor.close();
    }

    @Test
    void aLinkWorksOnceAndLookingAtItDoesNotUseIt() {
        SignedIn nobody = new SignedIn(gateway.api(), null);
        String link = SignedIn.link(merchant);
        for (int i = 0; i < 3; i++) {
            assertThat(nobody.get(link).expect(200).body()).contains("Sign in");
        }

        Answer entered = nobody.post(link, Map.of()).expect(303);

        assertThat(entered.header("Location")).isEqualTo("/console");
        assertThat(entered.headers().allValues("Set-Cookie").get(0))
                .matches(
                        "ligeiro_console=[A-Za-z0-9_-]{43}; Max-Age=\\d+; Expires=[^;]+; Path=/console; HTTPOnly; SameSite=Strict");
        nobody.get(link).expect(404);
        assertThat(nobody.post(link, Map.of()).expect(404).headers().firstValue("Set-Cookie"))
                .isEmpty();
    }

    @Test
    void behindHttpsTheCookieBelongsToThisHostOnly() {
        try (RunningGateway secure = RunningGateway.start("ligeiro.public-url=https://pix.example.com")) {
            TestMerchant other = secure.newMerchant();
            Answer made = other.api().post(SESSIONS, "{}").expect(201);
            assertThat(made.text("url")).startsWith("https://pix.example.com/console/enter/");
            String link = made.text("url").substring("https://pix.example.com".length());

            Answer entered = new SignedIn(secure.api(), null)
                    .post(link, Map.of(), "https://pix.example.com")
                    .expect(303);

            assertThat(entered.headers().allValues("Set-Cookie").get(0))
                    .startsWith("__Host-ligeiro_console=")
                    .contains("Path=/;", "Secure", "HTTPOnly", "SameSite=Strict")
                    .doesNotContain("Domain");
        }
    }

    @Test
    void linksAndSessionsEnd() {
        TestClock clock = TestClock.ticking();
        try (RunningGateway timed = RunningGateway.startOn(RunningGateway.newDatabase(), clock)) {
            TestMerchant other = timed.newMerchant();
            String late = SignedIn.link(other);
            SignedIn idle = SignedIn.as(other);
            SignedIn busy = SignedIn.as(other);
            SignedIn unattended = SignedIn.as(other);
            clock.move(Duration.ofMinutes(6));
            new SignedIn(timed.api(), null).post(late, Map.of()).expect(404);

            for (int i = 0; i < 31; i++) {
                busy.get("/console/access").expect(200);
                clock.move(Duration.ofMinutes(15));
                if (i == 0) {
                    unattended.get("/console/transactions/nothing/events").expect(404);
                }
                if (i == 1) {
                    idle.get("/console/access").expect(401);
                    // an open page connects its stream again each quarter of an hour
                    unattended.get("/console/access").expect(401);
                }
            }

            busy.get("/console/access").expect(200);
            clock.move(Duration.ofMinutes(15));
            busy.get("/console/access").expect(401);
        }
    }

    /** Whoever knows the cookie of before the sign-in knows nothing of the session. */
    @Test
    void aSessionHasATokenOfItsOwnWhateverTheBrowserHasSent() {
        SignedIn planted = new SignedIn(gateway.api(), "ligeiro_console=" + "A".repeat(43));

        SignedIn entered = planted.enter(SignedIn.link(merchant));

        assertThat(entered.cookie()).isNotEqualTo(planted.cookie());
        planted.get("/console").expect(401);
        entered.get("/console").expect(200);
    }

    @Test
    void aSessionEndsBySignOutByTheApiAndWithItsKey() {
        Answer key = merchant.newKey("{\"mode\":\"test\"}");
        SignedIn first = SignedIn.as(merchant);
        SignedIn second = SignedIn.as(merchant);
        SignedIn third = SignedIn.as(merchant.withKey(key.text("key")));
        third.get("/console").expect(200);

        first.post("/console/sign-out", Map.of()).expect(303);
        first.get("/console").expect(401);
        String open =
                merchant.api().get(SESSIONS).json().at("/console_sessions/0/id").stringValue();
        merchant.api().delete(SESSIONS + "/" + open).expect(204);
        second.get("/console").expect(401);
        gateway.admin()
                .delete("/admin/merchants/" + merchant.id() + "/keys/" + key.text("id"))
                .expect(204);
        await().until(() -> third.get("/console").status() == 401);
    }

    @Test
    void aFormOfAnotherSiteIsRefused() {
        String id = merchant.created(merchant.cashin());
        SignedIn console = SignedIn.as(merchant);
        for (String origin : new String[] {null, "", "null", "https://evil.example", gateway.url() + ".evil.example"}) {
            Answer refused = console.post("/console/transactions/" + id + "/cancel", Map.of(), origin);
            assertThat(refused.status()).as(origin).isEqualTo(403);
            assertThat(new SignedIn(gateway.api(), null)
                            .post(SignedIn.link(merchant), Map.of(), origin)
                            .status())
                    .isEqualTo(403);
        }
        assertThat(processor.changes(id)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"a=%ZZ, 400", "a=%, 400", "a=%C3%28, 400", "TOO_LONG, 413"})
    void aFormThatCannotBeReadIsNoBug(String form, int status) {
        Answer refused = Api.send(gateway.api()
                .request("/console/sign-out")
                .header("Cookie", String.valueOf(SignedIn.as(merchant).cookie()))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Origin", gateway.url())
                .POST(BodyPublishers.ofString(form.replace("TOO_LONG", "a=" + "b".repeat(8_191)))));

        assertThat(refused.status()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/transactions/%1$s",
                "/transactions/%1$s/cancel",
                "/transactions/%1$s/events",
                "/endpoints/%2$s",
                "/endpoints/%2$s/rotate",
                "/transactions/nothing",
                "/endpoints/nothing",
                "/transactions/%1$s/nothing"
            })
    void whatBelongsToAnotherDoesNotExist(String page) {
        TestMerchant other = gateway.newMerchant();
        String transaction = other.created(other.cashin());
        String endpoint = TestEndpoint.of(other).id().toString();
        String path = "/console" + page.formatted(transaction, endpoint);

        Answer missing = SignedIn.as(merchant).get(path).expect(404);

        assertThat(missing.body()).doesNotContain("Maria");
    }

    @Test
    void aFormChangesNothingOfAnother() {
        TestMerchant other = gateway.newMerchant();
        String transaction = other.created(other.cashin());
        String endpoint = TestEndpoint.of(other).id().toString();
        SignedIn console = SignedIn.as(merchant);
        String session = other.api().post(SESSIONS, "{}").text("id");

        console.post("/console/transactions/" + transaction + "/cancel", Map.of())
                .expect(404);
        console.post("/console/endpoints/" + endpoint + "/rotate", Map.of()).expect(404);
        console.post("/console/endpoints/" + endpoint + "/disable", Map.of()).expect(404);
        console.post("/console/access/sessions/" + session + "/end", Map.of()).expect(404);

        assertThat(processor.changes(transaction)).isEmpty();
        assertThat(other.api().get("/api/v1/webhooks/" + endpoint).text("status"))
                .isEqualTo("enabled");
    }

    @Test
    void whatTheSessionMayNotDoIsNotOfferedAndRefused() {
        String id = merchant.created(merchant.cashin());
        String endpoint = TestEndpoint.of(merchant).id().toString();
        SignedIn reader =
                SignedIn.as(merchant.withKey(merchant.newKey("{\"mode\":\"test\",\"scopes\":[\"transactions:read\"]}")
                        .text("key")));

        assertThat(reader.get("/console/transactions/" + id).expect(200).body())
                .doesNotContain("/cancel", "/sandbox_pay", "/console/endpoints", "/console/statement");
        assertThat(reader.get("/console/transactions/" + id + "/cancel")
                        .expect(200)
                        .body())
                .doesNotContain("<button class=\"danger\"");
        Stream.of(
                        "/transactions/" + id + "/cancel",
                        "/transactions/" + id + "/sandbox_pay",
                        "/endpoints/" + endpoint + "/rotate")
                .forEach(path -> reader.post("/console" + path, Map.of()).expect(403));
        reader.get("/console/endpoints").expect(403);
        reader.get("/console/statement").expect(403);
        reader.get("/console/statement.csv").expect(403);
        assertThat(processor.changes(id)).isEmpty();
    }

    /** A session may do less than its key. */
    @Test
    void aSessionHasNoMoreScopesThanItWasMadeWith() {
        String id = merchant.created(merchant.cashin());
        String url = merchant.api()
                .post(SESSIONS, "{\"scopes\":[\"transactions:read\"]}")
                .expect(201)
                .text("url");
        SignedIn reader = new SignedIn(gateway.api(), null).enter(url.substring(url.indexOf("/console/")));

        reader.post("/console/transactions/" + id + "/cancel", Map.of()).expect(403);
        reader.get("/console/endpoints").expect(403);
    }

    @Test
    void aSessionDoesNotEndOneThatMayDoMore() {
        SignedIn all = SignedIn.as(merchant);
        String allId =
                merchant.api().get(SESSIONS).json().at("/console_sessions/0/id").stringValue();
        String narrow = "{\"scopes\":[\"transactions:read\"]}";
        String url = merchant.api().post(SESSIONS, narrow).text("url");
        SignedIn reader = new SignedIn(gateway.api(), null).enter(url.substring(url.indexOf("/console/")));
        String other = merchant.api().post(SESSIONS, narrow).text("id");

        assertThat(reader.get("/console/access").expect(200).body())
                .contains(other)
                .doesNotContain(allId);
        reader.post("/console/access/sessions/" + allId + "/end", Map.of()).expect(404);
        reader.post("/console/access/sessions/" + other + "/end", Map.of()).expect(303);

        assertThat(all.get("/console/access").expect(200).body()).doesNotContain(other);
    }

    @Test
    void aSecondClickChangesNothingMore() {
        String id = merchant.created(merchant.cashin());
        processor.stored().move(id, Status.PAID);
        SignedIn console = SignedIn.as(merchant);
        String form = "/console/transactions/" + id + "/refund";
        Map<String, String> fields = Map.of("amount", "10,00", "once", console.once(form));

        CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> console.post(form, fields));
        processor.make(id, 1);
        assertThat(first.join().expect(303).header("Location")).contains("?done=");
        assertThat(console.post(form, fields).expect(303).header("Location")).endsWith("?done=refund");

        assertThat(merchant.api()
                        .get("/api/v1/transaction/" + id + "/refunds")
                        .json()
                        .path("refunds"))
                .hasSize(1)
                .first()
                .extracting(refund -> refund.path("amount").stringValue())
                .isEqualTo("10.00");
    }

    @Test
    void aSecondClickOnARotationShowsTheSameSecret() {
        String form = "/console/endpoints/" + TestEndpoint.of(merchant).id() + "/rotate";
        SignedIn console = SignedIn.as(merchant);
        Map<String, String> fields = Map.of("once", console.once(form));

        String first = secret(console.post(form, fields).expect(200));

        assertThat(secret(console.post(form, fields).expect(200))).isEqualTo(first);
        assertThat(secret(console.post(form, Map.of("once", console.once(form))).expect(200)))
                .isNotEqualTo(first);
    }

    private static String secret(Answer page) {
        return page.body().replaceAll("(?s).*<pre id=\"secret\">(whsec_[^<]+)</pre>.*", "$1");
    }

    @Test
    void whatIsEnteredStaysWithItsErrors() {
        String id = merchant.created(merchant.cashin());
        processor.stored().move(id, Status.PAID);
        SignedIn console = SignedIn.as(merchant);

        String refund = console.post(
                        "/console/transactions/" + id + "/refund",
                        Map.of("amount", "1.001", "refund_reference", "return-7"))
                .expect(422)
                .body();
        String list = console.get("/console/transactions?initial_date=yesterday&reference=a%22b")
                .expect(422)
                .body();
        String tooMuch = console.post("/console/transactions/" + id + "/refund", Map.of("amount", "999999"))
                .expect(409)
                .body();

        assertThat(refund).contains("value=\"1.001\"", "value=\"return-7\"", "id=\"amount-error\"");
        assertThat(list).contains("value=\"yesterday\"", "value=\"a&#34;b\"", "id=\"initial_date-error\"");
        assertThat(tooMuch).contains("The refunds would exceed the amount.", "value=\"999999\"");
    }

    @Test
    void textsOfPayersAreNeverMarkup() {
        String attack = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";
        String id = merchant.created(merchant.cashin()
                .put("name", attack)
                .put("description", attack)
                .put("reference", attack.substring(0, 50))
                .put("extra", attack));
        SignedIn console = SignedIn.as(merchant);

        for (String path : List.of(
                "/console",
                "/console/transactions",
                "/console/transactions/" + id,
                "/console/transactions/" + id + "/cancel",
                "/console/transactions?reference=%3Cscript%3E&name_document=%22%3E%3Cscript%3E")) {
            Answer page = console.get(path).expect(200);
            assertThat(page.body()).as(path).doesNotContain("<script>", "<img src=x");
            assertThat(page.header("Content-Security-Policy")).contains("script-src 'self';", "frame-ancestors 'none'");
            assertThat(page.header("Cache-Control")).isEqualTo("no-store");
        }
    }

    /** A page counts as the requests of the API that it makes. */
    @Test
    void tooManyRequestsHaveAPageThatSaysWhenToComeBack() {
        SignedIn console = SignedIn.as(merchant);
        gateway.admin()
                .put("/admin/merchants/" + merchant.id() + "/limits", "{\"reads_per_second\":1}")
                .expect(204);

        Answer refused = await().until(() -> console.get("/console"), answer -> answer.status() == 429);

        assertThat(refused.header("Retry-After")).matches("[0-9]+");
        assertThat(refused.header("Content-Type")).startsWith("text/html");
        assertThat(refused.body()).contains("Not now");
    }

    @Test
    void filesAreThoseOfTheApi() {
        String id = merchant.created(merchant.cashin());
        SignedIn console = SignedIn.as(merchant);

        Answer csv = console.get("/console/transactions.csv?status=pending").expect(200);

        assertThat(csv.header("Content-Type")).startsWith("text/csv");
        assertThat(csv.header("Content-Disposition")).isEqualTo("attachment; filename=\"transactions.csv\"");
        assertThat(csv.body()).contains(id);
        assertThat(console.get("/console/statement.csv").expect(200).body()).contains("opening_balance");
        new SignedIn(gateway.api(), null).get("/console/transactions.csv").expect(401);
    }

    @Test
    void pagesOfTheListHaveTheFilters() {
        for (int i = 0; i < 101; i++) {
            merchant.created(merchant.cashin());
        }
        SignedIn console = SignedIn.as(merchant);

        String first =
                console.get("/console/transactions?status=pending").expect(200).body();
        String next =
                first.replaceAll("(?s).*href=\"([^\"]+)\" rel=\"next\".*", "$1").replace("&amp;", "&");

        assertThat(first).contains("101 transactions").contains("Page 1 of 2");
        assertThat(next).contains("status=pending", "page=2");
        assertThat(console.get(next).expect(200).body()).contains("Page 2 of 2").doesNotContain("rel=\"next\"");
    }
}
