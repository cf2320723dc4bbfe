package dev.ligeiro.desk.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SharedDesk.class)
class SignInIT {

    private static final String PAGE = "/console/sessions";

    private final RunningDesk desk;

    SignInIT(RunningDesk desk) {
        this.desk = desk;
    }

    private Visitor signedIn() {
        return Visitor.signedIn(desk, RunningDesk.ADMIN_TOKEN);
    }

    @Test
    void aVisitorSignsInGoesToTheWantedPageAndSignsOut() {
        Visitor visitor = new Visitor(desk.url());
        String signIn = visitor.get(PAGE).expect(302).header("Location");
        assertThat(signIn).endsWith("/console/sign-in?back=%2Fconsole%2Fsessions");
        visitor.get(signIn);
        String before = visitor.cookie("ligeiro_operator");

        Answer entered = visitor.send("/console/sign-in", "token", RunningDesk.ADMIN_TOKEN, "back", PAGE);

        assertThat(entered.expect(303).header("Location")).isEqualTo(PAGE);
        assertThat(entered.header("Set-Cookie")).contains("HttpOnly", "SameSite=Lax", "Path=/console");
        assertThat(visitor.cookie("ligeiro_operator")).isNotEqualTo(before);
        assertThat(visitor.get(PAGE).expect(200).body()).contains(">admin<");
        visitor.send("/console/sign-out").expect(302);
        visitor.get(PAGE).expect(302);
    }

    @Test
    void behindAProxyWithTlsTheCookieIsSecure() {
        Visitor visitor = new Visitor(desk.url()).with("X-Forwarded-Proto", "https");
        assertThat(visitor.get("/console/sign-in").header("Set-Cookie")).contains("Secure");
    }

    @ParameterizedTest
    @CsvSource({
        "https://example.com/, /console",
        "//example.com/console, /console",
        "/console/../admin, /console",
        "/console\\x, /console",
        "/admin/merchants, /console",
        "/console/merchants?after=1, /console/merchants?after=1"
    })
    void nobodyIsLedToAnotherSite(String back, String next) {
        Visitor visitor = new Visitor(desk.url());
        assertThat(visitor.send("/console/sign-in", "token", RunningDesk.ADMIN_TOKEN, "back", back)
                        .expect(303)
                        .header("Location"))
                .isEqualTo(next);
    }

    @Test
    void aSessionEndsAfter15MinutesInWhichOnlyThePageAsked() {
        Visitor visitor = signedIn();
        desk.clock().move(Duration.ofMinutes(14));
        visitor.get(PAGE).expect(200);
        desk.clock().move(Duration.ofMinutes(14));
        Answer byPage = visitor.with("HX-Request", "true").get(PAGE);
        assertThat(byPage.expect(200).body()).contains("Sessions");
        desk.clock().move(Duration.ofMinutes(2));

        Answer refused = visitor.get(PAGE);

        assertThat(refused.expect(401).header("HX-Redirect")).startsWith("/console/sign-in?back=");
    }

    @Test
    void aSessionEndsAfter8Hours() {
        Visitor visitor = signedIn();
        for (int minutes = 10; minutes < 480; minutes += 10) {
            desk.clock().move(Duration.ofMinutes(10));
            visitor.get(PAGE).expect(200);
        }
        desk.clock().move(Duration.ofMinutes(10));
        visitor.get(PAGE).expect(302);
    }

    @Test
    void sessionsAreListedAndEnded() {
        Visitor other = Visitor.signedIn(desk, RunningDesk.READER_TOKEN);
        Visitor visitor = Visitor.signedIn(desk, RunningDesk.OPERATOR_TOKEN);
        Answer list = new Api(desk.url(), RunningDesk.OPERATOR_TOKEN).get("/admin/sessions");
        String id = list.json()
                .path("sessions")
                .valueStream()
                .filter(session -> session.path("operator").asString().equals("reader"))
                .findFirst()
                .orElseThrow()
                .path("id")
                .asString();

        Answer ended = visitor.send("/console/do/sessions/end?back=/console/sessions&session_id=" + id);

        assertThat(ended.expect(303).header("Location")).isEqualTo(PAGE);
        assertThat(visitor.get(PAGE).body()).contains("The session is ended.");
        other.get("/console").expect(302);
        new Api(desk.url(), RunningDesk.OPERATOR_TOKEN)
                .delete("/admin/sessions/" + id)
                .expect(404);
        new Api(desk.url(), RunningDesk.READER_TOKEN).get("/admin/sessions").expect(403);
        Visitor.signedIn(desk, RunningDesk.READER_TOKEN).get(PAGE).expect(403);
    }

    @Test
    void wrongTokensOfOneHalfAreSlowedAndOthersAreNotLockedOut() {
        String address = "203.0.113." + desk.clock().millis() % 250;
        Visitor guesser = new Visitor(desk.url()).with("X-Forwarded-For", address);
        for (int i = 0; i < 10; i++) {
            Answer wrong = guesser.send("/console/sign-in", "token", "operator-token-guess-" + i);
            assertThat(wrong.expect(403).body()).contains("Nobody has this token.");
        }

        guesser.send("/console/sign-in", "token", "operator-token-guess-x").expect(429);
        guesser.send("/console/sign-in", "token", "another-wrong-token-here").expect(429);

        Answer bearer = Api.send(new Api(desk.url(), "operator-token-guess-y")
                .request("/admin/merchants")
                .header("X-Forwarded-For", address));
        assertThat(bearer.expect(429).header("Retry-After")).isEqualTo("60");
        guesser.send("/console/sign-in", "token", RunningDesk.ADMIN_TOKEN).expect(303);
        desk.clock().move(Duration.ofMinutes(1));
        guesser.send("/console/sign-in", "token", "operator-token-guess-z").expect(403);
    }

    @Test
    void aFormWithoutItsTokenIsRefused() {
        Visitor visitor = signedIn();
        visitor.post("/console/do/merchants/make", Map.of("name", "x")).expect(403);
        visitor.post("/console/sign-out", Map.of()).expect(403);
        assertThat(new Visitor(desk.url())
                        .post("/console/do/merchants/make?back=/console", Map.of("name", "x"))
                        .expect(302)
                        .header("Location"))
                .endsWith("/console/sign-in?back=%2Fconsole%2Fdo%2Fmerchants%2Fmake%3Fback%3D%2Fconsole");
    }

    @Test
    void failuresArePagesInTheReadersLanguage() {
        Answer unknown = signedIn().speaking("pt-BR").get("/console/nowhere");
        assertThat(unknown.expect(404).header("Content-Type")).startsWith("text/html");
        assertThat(unknown.body()).contains("Não encontrado", unknown.header("X-Request-Id"), ">admin<");
        assertThat(new Visitor(desk.url()).get("/nowhere").expect(404).body()).contains("Not found");
        assertThat(new Visitor(desk.url()).get("/").expect(302).header("Location"))
                .endsWith("/console");
        desk.admin().get("/admin/nowhere").expectProblem(404, "not_found");
    }

    @Test
    void pagesMayLoadNothingFromElsewhere() {
        Answer page = new Visitor(desk.url()).get("/console/sign-in");
        assertThat(page.header("Content-Security-Policy"))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'");
        assertThat(page.header("Cache-Control")).contains("no-store");
        assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
    }
}
