package dev.ligeiro.desk.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.fixture.Deliveries;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Why a merchant's webhooks stopped: from the failing endpoints to the cause, and the remedies there. */
@ExtendWith(SharedDesk.class)
class EndpointPagesIT {

    private static final Pattern CSRF = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");

    private final RunningDesk desk;
    private final Stored stored;
    private final Visitor visitor;
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    EndpointPagesIT(RunningDesk desk) {
        this.desk = desk;
        this.stored = Stored.of(desk, "Loja sem webhooks");
        this.visitor = Visitor.signedIn(desk, RunningDesk.ADMIN_TOKEN);
    }

    @Test
    void theCauseIsOneClickFromTheFailingEndpoints() {
        WebhookEndpoint endpoint = stored.endpoint(Mode.TEST, "https://shop.example/hook");
        Instant since = now.minus(Duration.ofDays(950));
        stored.failing(endpoint, since, new Lane.Health(7, 1, now.plusSeconds(600), since));
        DeliveryId waiting = Deliveries.id(endpoint.id(), 1);
        stored.insert(Deliveries.retried(waiting, now.plusSeconds(3_600)));
        Transaction paid = stored.paid(Mode.TEST);
        DeliveryId ended = new DeliveryId(endpoint.id(), new EventId(paid.id(), 2));
        stored.insert(Deliveries.answered(ended, "<b>bad</b> gateway"));
        String path = "/console/merchants/" + stored.merchantId() + "/endpoints/" + endpoint.id();

        assertThat(visitor.get("/console/endpoints").expect(200).body())
                .contains("href=\"" + path + "\"", "https://shop.example/…", "Loja sem webhooks")
                .doesNotContain("badge good");
        String page = visitor.get(path).expect(200).body();

        String response = "&lt;b&gt;bad&lt;/b&gt; gateway";
        assertThat(page)
                .containsSubsequence("Rejected (502)", response, "Failing since")
                .contains("Rejected (500)", "not with a status from 200 to 299", "Failing since", "Paused")
                .contains(path + "?status=scheduled\">1<", path + "?status=undelivered\">1<")
                .contains(path + "/deliveries/" + waiting.text())
                .doesNotContain("badge good");
        assertThat(visitor.get(path + "/deliveries/" + waiting.text())
                        .expect(200)
                        .body())
                .contains("transaction.paid", "Send again", "Rejected (500)");
        assertThat(visitor.get(path + "/deliveries/" + ended.text()).expect(200).body())
                .contains(response);
        assertThat(desk.admin()
                        .get(path.replace("/console", "/admin") + "/deliveries/" + ended.text())
                        .expect(200)
                        .json()
                        .at("/attempts/0/response")
                        .asString())
                .isEqualTo("<b>bad</b> gateway");
        assertThat(visitor.get(path + "?status=delivered").expect(200).body()).contains("No webhooks.");
        assertThat(new Visitor(desk.url()).get(path).status()).isNotEqualTo(200);
    }

    @Test
    void tryNowAndSendAgainLeadBackToTheirResult() {
        WebhookEndpoint endpoint = stored.endpoint(Mode.LIVE, "https://shop.example/");
        DeliveryId ended = Deliveries.id(endpoint.id(), 1);
        stored.insert(Deliveries.delivery(ended, DeliveryStatus.EXHAUSTED));
        String path = "/console/merchants/" + stored.merchantId() + "/endpoints/" + endpoint.id();

        Answer tried = press(path, "/console/do/endpoints/test");
        assertThat(tried.header("Location")).endsWith(path);
        assertThat(visitor.get(path).expect(200).body()).contains("The test event is on its way", "On its way");
        press(path, "/console/do/endpoints/redeliver[^\"]*" + ended.text());

        assertThat(stored.delivery(ended).status()).isEqualTo(DeliveryStatus.SCHEDULED);
        assertThat(visitor.get(path).expect(200).body()).contains("The webhook is on its way.");
        assertThat(visitor.speaking("pt-BR").get(path).expect(200).body()).contains("Evento de teste", "A caminho");
        Visitor reader = Visitor.signedIn(desk, RunningDesk.READER_TOKEN);
        assertThat(reader.get(path).expect(200).body()).doesNotContain("/console/do/endpoints/");
    }

    /** Sends the form of a button on the page. */
    private Answer press(String path, String action) {
        String page = visitor.get(path).expect(200).body();
        Matcher form = Pattern.compile("action=\"(" + action + "[^\"]*)\"").matcher(page);
        assertThat(form.find()).as(action).isTrue();
        Matcher csrf = CSRF.matcher(page);
        assertThat(csrf.find()).isTrue();
        return visitor.post(form.group(1).replace("&amp;", "&"), Map.of("_csrf", csrf.group(1)))
                .expect(303);
    }
}
