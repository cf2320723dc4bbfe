package dev.ligeiro.desk.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.provider.TestProvider;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Signs people in at a real OpenID provider. */
class ProviderSignInIT {

    private static final String START = "/console/sign-in/with/oidc?back=/console/sessions";
    private static final Pattern CSRF = Pattern.compile("name=\"_csrf\"[^>]* value=\"([^\"]+)\"");

    private static RunningDesk desk;
    private static TestProvider provider;
    private static Answer whileItWasDown;
    private static Answer whileItWasSilent;

    @BeforeAll
    static void start() throws IOException {
        int port = freePort();
        desk = RunningDesk.start(
                "ligeiro.operators.oidc.issuer=http://127.0.0.1:" + port,
                "ligeiro.operators.oidc.client-id=desk",
                "ligeiro.operators.oidc.client-secret=" + TestProvider.CLIENT_SECRET,
                "ligeiro.operators.oidc.roles.support=read,operate");
        whileItWasDown = new Visitor(desk.url()).get(START);
        // the kernel accepts its connections
        try (ServerSocket silent = new ServerSocket(port)) {
            whileItWasSilent = new Visitor(desk.url()).get(START);
            assertThat(silent.isBound()).isTrue();
        }
        provider = TestProvider.start(port, desk.url() + "/console/sign-in/from/oidc");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @AfterAll
    static void stop() {
        provider.close();
        desk.close();
    }

    /** Goes to the provider, signs in there, and comes back to the address that this returns. */
    private static String comeBack(Visitor visitor, String person, String authorize) {
        String login = visitor.get(authorize).expect(302).header("Location");
        Matcher csrf = CSRF.matcher(visitor.get(login).body());
        assertThat(csrf.find()).isTrue();
        String saved = visitor.post(
                        login, Map.of("username", person, "password", TestProvider.PASSWORD, "_csrf", csrf.group(1)))
                .expect(302)
                .header("Location");
        return visitor.get(saved).expect(302).header("Location");
    }

    private static String failed(Answer answer) {
        return answer.expect(302).header("Location").replaceFirst(".*/console/sign-in\\?failed=", "");
    }

    @Test
    void aPersonSignsInWithTheRolesOfTheirGroups() {
        Visitor visitor = new Visitor(desk.url()).with("Accept", "text/html");
        Answer page = visitor.get("/console/sign-in");
        assertThat(page.body()).contains("Sign in with your account");
        assertThat(page.header("Set-Cookie")).contains("ligeiro_operator=", "SameSite=Lax", "HttpOnly");
        Answer begun = visitor.get(START).expect(302);
        assertThat(begun.header("Location")).contains("code_challenge_method=S256", "nonce=", "state=");

        Answer back = visitor.get(comeBack(visitor, "ana", begun.header("Location")));

        assertThat(back.expect(302).header("Location")).endsWith("/console/sessions");
        assertThat(visitor.get("/console/sessions").expect(200).body()).contains(">ana<");
        assertThat(desk.bean(Sessions.class).list()).anySatisfy(session -> assertThat(session.operator())
                .isEqualTo(new Operator("ana", Set.of(Role.READ, Role.OPERATE))));
    }

    @Test
    void whoIsInNoGroupIsRefused() {
        Visitor visitor = new Visitor(desk.url()).with("Accept", "text/html");
        String back = comeBack(visitor, "eva", visitor.get(START).header("Location"));

        Answer refused = visitor.get(back);

        assertThat(failed(refused)).isEqualTo("no_role");
        assertThat(visitor.get(refused.header("Location")).expect(403).body()).contains("none of the groups");
        visitor.get("/console/sessions").expect(302);
    }

    @Test
    void aWrongNonceAndAStateThatWasUsedAreRefused() {
        Visitor visitor = new Visitor(desk.url()).with("Accept", "text/html");
        String authorize = visitor.get(START).header("Location");
        String forged = authorize.replaceFirst("nonce=[^&]+", "nonce=of-another-sign-in");
        assertThat(failed(visitor.get(comeBack(visitor, "ana", forged)))).isEqualTo("provider");

        Visitor other = new Visitor(desk.url()).with("Accept", "text/html");
        String back = comeBack(other, "ana", other.get(START).header("Location"));
        assertThat(failed(new Visitor(desk.url()).get(back))).isEqualTo("provider");
        other.get(back).expect(302);
        Answer again = other.get(back);

        assertThat(failed(again)).isEqualTo("provider");
        assertThat(other.get(again.header("Location")).expect(403).body()).contains("did not work");
    }

    @Test
    void whileTheProviderIsDownTokensGoOn() {
        assertThat(failed(whileItWasDown)).isEqualTo("provider");
        assertThat(failed(whileItWasSilent)).isEqualTo("provider");
        Visitor.signedIn(desk, RunningDesk.ADMIN_TOKEN).get("/console/sessions").expect(200);
    }
}
