package dev.ligeiro.desk.webhook;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.fixture.Deliveries;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.EventId;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointChange;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** What an operator sees of webhook endpoints, and does for their merchants. */
/** Why a merchant's webhooks stopped: from the failing endpoints to the cause, and the remedies there. */
@ExtendWith(SharedDesk.class)
class EndpointIT {

    private final Api admin;
    private final Stored stored;
    private final RunningDesk desk;
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    EndpointIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
        this.stored = Stored.of(desk, "Endpoint test");
    }

    private String path(WebhookEndpoint endpoint) {
        return stored.path() + "/" + endpoint.id();
    }

    @Test
    void endpointsAreListedWithTheirHealthAndWhatTheyMissed() {
        WebhookEndpoint endpoint = stored.endpoint(Mode.TEST, "https://example.com/");
        WebhookEndpoint live = stored.endpoint(Mode.LIVE, "https://example.com:8443/hook/s3cret?token=s3cret");
        Instant since = now.minus(Duration.ofHours(2));
        stored.failing(endpoint, since, new Lane.Health(7, 1, now.plusSeconds(600), since));
        for (DeliveryStatus status : DeliveryStatus.values()) {
            stored.insert(Deliveries.delivery(Deliveries.id(endpoint.id(), status.ordinal()), status));
        }

        Answer answer = admin.get(stored.path()).expect(200);
        JsonNode listed = answer.json().path("endpoints");

        assertThat(listed.valueStream().map(each -> each.path("id").asString()))
                .containsExactly(endpoint.id().toString(), live.id().toString());
        assertThat(listed.at("/0/mode").asString()).isEqualTo("test");
        assertThat(listed.at("/0/url").asString()).isEqualTo("https://example.com/");
        assertThat(listed.at("/0/failing_since").asString()).isEqualTo(since.toString());
        assertThat(listed.at("/0/breaker").asString()).isEqualTo("open");
        assertThat(listed.at("/0/waiting").asInt()).isEqualTo(1);
        assertThat(listed.at("/0/missed").asInt()).isEqualTo(2);
        assertThat(listed.at("/1/breaker").asString()).isEqualTo("closed");
        assertThat(answer.body()).contains("https://example.com:8443/…").doesNotContain("s3cret");
        JsonNode missed = admin.get(path(endpoint) + "/deliveries?status=undelivered")
                .expect(200)
                .json();
        assertThat(missed.path("deliveries")).hasSize(2);
        assertThat(missed.at("/deliveries/0/attempts/0/at").asString()).isEqualTo(Deliveries.AT.toString());
        assertThat(missed.at("/deliveries/0/attempts/0/status_code").asInt()).isEqualTo(500);
        admin.get(path(endpoint) + "/deliveries?status=lost").expectProblem(422, "validation_failed");
        admin.get(path(endpoint) + "/deliveries?after=x").expectProblem(422, "validation_failed");
    }

    @Test
    void failingEndpointsOfAllMerchantsAreListedTheLongestFailingFirst() {
        Instant since = now.minus(Duration.ofDays(900));
        WebhookEndpoint first = stored.endpoint(Mode.TEST, "https://example.com/");
        stored.failing(first, since, new Lane.Health(7, 0, null, since));
        WebhookEndpoint second = stored.endpoint(Mode.TEST, "https://example.com/");
        stored.failing(second, since, new Lane.Health(1, 0, null, since.plusSeconds(1)));
        WebhookEndpoint gone = Endpoints.withStatus(
                Endpoints.endpoint(UuidV7.at(now.toEpochMilli()), stored.tenant(Mode.LIVE), "https://example.com/"),
                EndpointStatus.disabled(DisabledReason.GONE, now.plusSeconds(3_600)));
        stored.insert(gone);

        JsonNode listed = admin.get("/admin/endpoints/failing").expect(200).json();
        JsonNode behind = admin.get("/admin/endpoints/failing?after=" + since.toEpochMilli() + "-" + first.id())
                .expect(200)
                .json();

        assertThat(listed.at("/endpoints/0/id").asString()).isEqualTo(first.id().toString());
        assertThat(listed.at("/endpoints/0/merchant_id").asString())
                .isEqualTo(stored.merchantId().toString());
        assertThat(listed.at("/endpoints/0/failures").asInt()).isEqualTo(7);
        assertThat(listed.at("/disabled/0/id").asString()).isEqualTo(gone.id().toString());
        assertThat(listed.at("/disabled/0/disabled_reason").asString()).isEqualTo("gone");
        assertThat(behind.at("/endpoints/0/id").asString())
                .isEqualTo(second.id().toString());
        assertThat(behind.path("disabled")).isEmpty();
        admin.get("/admin/endpoints/failing?after=x").expectProblem(422, "validation_failed");
    }

    @Test
    void anOperatorEnablesTestsAndReplays() {
        WebhookEndpoint endpoint = Endpoints.withStatus(
                Endpoints.endpoint(UuidV7.at(now.toEpochMilli()), stored.tenant(Mode.TEST), "https://example.com/"),
                EndpointStatus.disabled(DisabledReason.MERCHANT, now));
        stored.insert(endpoint);
        Map<String, String> day = Map.of("from", "2026-03-10T00:00:00Z", "to", "2026-03-11T00:00:00Z");

        admin.post(path(endpoint) + "/test", "{}").expectProblem(409, "endpoint_disabled");
        admin.post(path(endpoint) + "/replay", day).expectProblem(409, "endpoint_disabled");
        assertThat(admin.post(path(endpoint) + "/enable", "{}").expect(200).text("status"))
                .isEqualTo("enabled");
        String test = admin.post(path(endpoint) + "/test", "{}").expect(202).text("id");
        Answer begun = admin.post(path(endpoint) + "/replay", day).expect(202);

        Delivery sent = stored.delivery(DeliveryId.parse(test, endpoint.id()));
        assertThat(sent.eventType()).isEqualTo("webhook.test");
        assertThat(new String(sent.body())).contains(endpoint.id().toString());
        assertThat(begun.header("Location")).isEqualTo(path(endpoint) + "/replays/" + begun.text("id"));
        assertThat(begun.text("status")).isEqualTo("running");
        assertThat(begun.text("delivery_status")).isEqualTo("undelivered");
        assertThat(admin.get(begun.header("Location")).expect(200).json()).isEqualTo(begun.json());
        admin.post(path(endpoint) + "/replay", day).expectProblem(409, "replay_running");
        admin.post(path(endpoint) + "/replay", Map.of("from", "2026-03-10T00:00:00Z", "to", "2026-05-11T00:00:00Z"))
                .expectProblem(422, "validation_failed");
        assertThat(admin.post(path(endpoint) + "/replay", "{}").expect(422).fieldErrors())
                .containsExactlyInAnyOrder("from:required", "to:required");
    }

    @Test
    void aDeliveryIsSentAgainBeforeTheBacklogAndItsPayloadIsMasked() {
        WebhookEndpoint endpoint = stored.endpoint(Mode.TEST, "https://example.com/");
        Transaction paid = stored.insert(Transactions.like(stored.paid(Mode.TEST))
                .fiscal(Map.of("customer", "Ana Souza"))
                .build());
        DeliveryId id = new DeliveryId(endpoint.id(), new EventId(paid.id(), 2));
        stored.insert(Deliveries.attempted(id, 1));
        stored.insert(Deliveries.retried(Deliveries.id(endpoint.id(), 1), now.minusSeconds(3_600)));
        String path = path(endpoint) + "/deliveries/" + id.text();

        Answer shown = admin.get(path).expect(200);
        admin.post(path + "/redeliver", "{}").expect(202);

        assertThat(shown.json().at("/payload/type").asString()).isEqualTo("transaction.paid");
        assertThat(shown.json().at("/payload/data/document").asString()).isEqualTo("***725");
        assertThat(shown.body())
                .doesNotContain(paid.terms().payer().name())
                .doesNotContain(paid.terms().payer().email())
                .doesNotContain("quoted", "Ana Souza");
        Delivery again = stored.delivery(id);
        assertThat(again.status()).isEqualTo(DeliveryStatus.SCHEDULED);
        assertThat(again.nextAttemptAt()).isBefore(now.minusSeconds(3_600));
        assertThat(again.attempts()).hasSize(1);
        DeliveryId full = Deliveries.id(endpoint.id(), 9);
        stored.insert(Deliveries.attempted(full, 100));
        admin.post(path(endpoint) + "/deliveries/" + full.text() + "/redeliver", "{}")
                .expectProblem(409, "too_many_attempts");
        admin.post(path(endpoint) + "/deliveries/dlv_x/redeliver", "{}").expectProblem(404, "not_found");
    }

    /** A receiver may answer with the request that it got; the delivery's list and the transaction leave it out. */
    @Test
    void whatAnEndpointAnswersIsShownWithoutWhatItWasSent() {
        UUID endpointId = UuidV7.at(now.toEpochMilli());
        WebhookEndpoint endpoint = Endpoints.withHeaders(
                Endpoints.endpoint(
                        endpointId, stored.tenant(Mode.TEST), "https://example.com/hook/s3cret/?token=t0k%C3%A9n"),
                Map.of("authorization", Endpoints.KEYS.encryptHeader(endpointId, "authorization", "Bearer abcdefgh")));
        stored.insert(endpoint);
        Transaction paid = stored.paid(Mode.TEST);
        DeliveryId id = new DeliveryId(endpointId, new EventId(paid.id(), 2));
        stored.insert(
                Deliveries.answered(
                        id,
                        """
                Cannot POST /hook/s3cret/?token=t0k%C3%A9n S3CRET token t0kén \\/hook\\/s3cret for Bearer abcdefgh, (abcdefgh)
                {"name":"Zoë da Conceição","name":"Zo\\u00eb da Concei\\u00e7\\u00e3o", Zo&euml; da Concei&ccedil;&atilde;o,
                zo%C3%AB+da+Concei%C3%A7%C3%A3o, Zo\uFFFD da Concei\uFFFD\uFFFDo, 529.982.247-25, 52998224725, +55 (11) 98765-4321,
                zoe@example.com, ZOE@EXAMPLE.COM, order 77\\n\\"quoted\\" \\\\ é 😀} at table payments, zoe@exam"""));
        String path = path(endpoint) + "/deliveries";

        String shown = admin.get(path + "/" + id.text())
                .expect(200)
                .json()
                .at("/attempts/0/response")
                .asString();

        assertThat(shown)
                .startsWith("Cannot POST ***")
                .contains("at table payments")
                .doesNotContainIgnoringCase("s3cret", "t0k", "abcdefgh", "Zo", "Concei", "982", "8765", "quoted");
        for (String list :
                List.of(path, path.substring(0, path.indexOf("/merchants")) + "/transactions/" + paid.id())) {
            assertThat(admin.get(list).expect(200).body())
                    .contains(id.text())
                    .doesNotContain("Cannot POST")
                    .doesNotContain("s3cret");
        }
        DeliveryId ofUnknown = Deliveries.id(endpointId, 7);
        stored.insert(Deliveries.answered(ofUnknown, "bad gateway"));
        assertThat(admin.get(path + "/" + ofUnknown.text())
                        .expect(200)
                        .json()
                        .at("/attempts/0/response")
                        .asString())
                .isEqualTo("***");
    }

    @Test
    void theKeysThatHaveChangedAnEndpointAreListed() {
        UUID endpoint = UUID.randomUUID();
        UUID key = UUID.randomUUID();
        desk.mongo()
                .insert(
                        new EndpointChange(UuidV7.at(now.toEpochMilli()), now, "rotate_secret", endpoint, key, null),
                        CollectionNames.ENDPOINT_CHANGES);

        JsonNode listed = admin.get(stored.path() + "/" + endpoint + "/changes")
                .expect(200)
                .json();

        assertThat(listed.at("/changes/0/what").asString()).isEqualTo("rotate_secret");
        assertThat(listed.at("/changes/0/key").asString()).isEqualTo(key.toString());
    }

    @Test
    void anotherMerchantsEndpointIsNotFound() {
        WebhookEndpoint endpoint = stored.endpoint(Mode.TEST, "https://example.com/");
        String other = Stored.of(desk, "Another").path() + "/" + endpoint.id();

        admin.get(other + "/deliveries").expectProblem(404, "not_found");
        for (String remedy : List.of("replay", "test", "enable")) {
            String body = remedy.equals("replay")
                    ? "{\"from\":\"2026-03-10T00:00:00Z\",\"to\":\"2026-03-11T00:00:00Z\"}"
                    : "{}";
            admin.post(other + "/" + remedy, body).expectProblem(404, "not_found");
        }
        admin.get("/admin/merchants/x/endpoints").expectProblem(404, "not_found");
    }

    /** The operator has changed the key and lost another one, and one endpoint is damaged. */
    @Test
    void secretsAreEncryptedAgainWithTheCurrentKey() {
        WebhookEndpoint old =
                Endpoints.endpointWithOldKey(UuidV7.at(1), stored.tenant(Mode.TEST), "https://a.example/");
        stored.insert(old);
        UUID lost = UuidV7.at(3);
        stored.insert(Endpoints.withSecrets(
                Endpoints.endpoint(lost, stored.tenant(Mode.TEST), "https://a.example/"),
                List.of(new EndpointSecret(new EncryptedText("lost:AAAA"), null))));
        UUID undecodable = UuidV7.at(4);
        stored.insert(
                CollectionNames.ENDPOINTS,
                EndpointDocument.of(Endpoints.endpoint(undecodable, stored.tenant(Mode.TEST), "https://a.example/"))
                        .append("createdAt", "yesterday")
                        .append("slot", 99));

        Answer first = admin.post("/admin/webhook-secrets/encrypt-again", "{}").expect(200);
        Answer second = admin.post("/admin/webhook-secrets/encrypt-again", "{}").expect(200);

        assertThat(first.json().path("encrypted").asInt()).isEqualTo(1);
        assertThat(first.json().path("unreadable").toString()).isEqualTo("[\"" + lost + "\",\"" + undecodable + "\"]");
        assertThat(second.json().path("encrypted").asInt()).isZero();
        assertThat(second.json().path("next_cursor").isNull()).isTrue();
        WebhookEndpoint written = stored.endpoint(old.id());
        assertThat(written.secrets()).allMatch(secret -> Endpoints.KEYS.isCurrent(secret.secret()));
        assertThat(Endpoints.KEYS
                        .decrypt(old.id(), written.secrets().get(0).secret())
                        .text())
                .isEqualTo(Endpoints.SECRET.text());
        assertThat(Endpoints.KEYS.decryptHeader(
                        old.id(), "x-old", requireNonNull(written.headers().get("x-old"))))
                .isEqualTo("value");
        assertThat(admin.get("/admin/webhook-networks").expect(200).json().path("networks"))
                .isEmpty();
    }

    @Test
    void theCauseIsOneClickFromTheFailingEndpoints() {
        Visitor visitor = Visitor.signedIn(desk, RunningDesk.ADMIN_TOKEN);
        WebhookEndpoint endpoint = stored.endpoint(Mode.TEST, "https://shop.example/hook");
        Instant since = now.minus(Duration.ofDays(800));
        stored.failing(endpoint, since, new Lane.Health(7, 1, now.plusSeconds(600), since));
        DeliveryId waiting = Deliveries.id(endpoint.id(), 1);
        stored.insert(Deliveries.retried(waiting, now.plusSeconds(3_600)));
        Transaction paid = stored.paid(Mode.TEST);
        DeliveryId ended = new DeliveryId(endpoint.id(), new EventId(paid.id(), 2));
        stored.insert(Deliveries.answered(ended, "<b>bad</b> gateway"));
        String path = "/console/merchants/" + stored.merchantId() + "/endpoints/" + endpoint.id();

        assertThat(visitor.get("/console/endpoints").expect(200).body())
                .contains("href=\"" + path + "\"", "https://shop.example/…", "Endpoint test")
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
        Visitor visitor = Visitor.signedIn(desk, RunningDesk.ADMIN_TOKEN);
        WebhookEndpoint endpoint = stored.endpoint(Mode.LIVE, "https://shop.example/");
        DeliveryId ended = Deliveries.id(endpoint.id(), 1);
        stored.insert(Deliveries.delivery(ended, DeliveryStatus.EXHAUSTED));
        String path = "/console/merchants/" + stored.merchantId() + "/endpoints/" + endpoint.id();

        Answer tried = press(visitor, path, "/console/do/endpoints/test");
        assertThat(tried.header("Location")).endsWith(path);
        assertThat(visitor.get(path).expect(200).body()).contains("The test event is on its way", "On its way");
        press(visitor, path, "/console/do/endpoints/redeliver[^\"]*" + ended.text());

        assertThat(stored.delivery(ended).status()).isEqualTo(DeliveryStatus.SCHEDULED);
        assertThat(visitor.get(path).expect(200).body()).contains("The webhook is on its way.");
        assertThat(visitor.speaking("pt-BR").get(path).expect(200).body()).contains("Evento de teste", "A caminho");
        Visitor reader = Visitor.signedIn(desk, RunningDesk.READER_TOKEN);
        assertThat(reader.get(path).expect(200).body()).doesNotContain("/console/do/endpoints/");
    }

    /** Sends the form of a button on the page. */
    private static Answer press(Visitor visitor, String path, String action) {
        String page = visitor.get(path).expect(200).body();
        Matcher form = Pattern.compile("action=\"(" + action + "[^\"]*)\"").matcher(page);
        assertThat(form.find()).as(action).isTrue();
        return visitor.sendTo(form.group(1).replace("&amp;", "&"), path).expect(303);
    }
}
