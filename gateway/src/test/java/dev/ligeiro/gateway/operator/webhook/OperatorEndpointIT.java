package dev.ligeiro.gateway.operator.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.Deliveries;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.StoredWebhooks;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.Lane;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** What an operator sees of webhook endpoints, and does for their merchants. */
@ExtendWith(SharedGateway.class)
class OperatorEndpointIT {

    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final TestEndpoint endpoint;
    private final StoredWebhooks stored;
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    OperatorEndpointIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
        this.endpoint = TestEndpoint.of(merchant);
        this.stored = new StoredWebhooks(gateway.database());
    }

    @AfterEach
    void close() {
        stored.close();
    }

    private String all() {
        return "/admin/merchants/" + merchant.id() + "/endpoints";
    }

    private String one() {
        return all() + "/" + endpoint.id();
    }

    private void failing(Instant since, @Nullable Instant openUntil) {
        stored.insert(new Lane(
                endpoint.id(),
                stored.endpoint(endpoint.id()).tenant(),
                now.plusSeconds(60),
                null,
                new Lane.Health(7, 1, openUntil, since),
                null,
                1));
    }

    @Test
    void endpointsAreListedWithTheirHealthAndWhatTheyMissed() {
        Instant since = now.minus(Duration.ofHours(2));
        failing(since, gateway.clock().instant().plusSeconds(600));
        stored.insert(Deliveries.delivery(Deliveries.id(endpoint.id(), 1), DeliveryStatus.SCHEDULED));
        stored.insert(Deliveries.delivery(Deliveries.id(endpoint.id(), 2), DeliveryStatus.EXHAUSTED));
        stored.insert(Deliveries.delivery(Deliveries.id(endpoint.id(), 3), DeliveryStatus.CANCELED));
        stored.insert(Deliveries.delivery(Deliveries.id(endpoint.id(), 4), DeliveryStatus.DELIVERED));
        TestEndpoint live = TestEndpoint.of(merchant.live());

        JsonNode listed = gateway.admin().get(all()).expect(200).json().path("endpoints");

        assertThat(listed.valueStream().map(each -> each.path("id").asString()))
                .containsExactly(endpoint.id().toString(), live.id().toString());
        JsonNode first = listed.path(0);
        assertThat(first.path("mode").asString()).isEqualTo("test");
        assertThat(first.path("url").asString()).isEqualTo("https://example.com/");
        assertThat(first.path("failing_since").asString()).isEqualTo(since.toString());
        assertThat(first.path("breaker").asString()).isEqualTo("open");
        assertThat(first.path("waiting").asInt()).isEqualTo(1);
        assertThat(first.path("missed").asInt()).isEqualTo(2);
        assertThat(listed.path(1).path("mode").asString()).isEqualTo("live");
        assertThat(listed.path(1).path("breaker").asString()).isEqualTo("closed");
        JsonNode missed = gateway.admin()
                .get(one() + "/deliveries?status=undelivered")
                .expect(200)
                .json();
        assertThat(missed.at("/deliveries/0/id"))
                .isEqualTo(endpoint.api()
                        .get(endpoint.deliveries() + "?status=undelivered")
                        .json()
                        .at("/deliveries/0/id"));
        assertThat(missed.at("/deliveries/0/attempts/0/at").asString()).isEqualTo(Deliveries.AT.toString());
        assertThat(missed.path("deliveries")).hasSize(2);
    }

    /** A path or a query may have a secret, as those of chat services. */
    @Test
    void ofAUrlTheOperatorSeesTheHost() {
        String id = merchant.api()
                .post(TestEndpoint.ALL, "{\"url\":\"https://example.com:8443/hook/s3cret?token=s3cret\"}")
                .expect(201)
                .text("id");

        Answer listed = gateway.admin().get(all()).expect(200);

        assertThat(listed.body()).contains(id, "https://example.com:8443/…").doesNotContain("s3cret");
    }

    @Test
    void failingEndpointsOfAllMerchantsAreListedTheLongestFailingFirst() {
        Instant since = now.minus(Duration.ofDays(900));
        failing(since, null);
        TestEndpoint second = TestEndpoint.of(merchant);
        stored.insert(new Lane(
                second.id(),
                stored.endpoint(second.id()).tenant(),
                now,
                null,
                new Lane.Health(1, 0, null, since.plusSeconds(1)),
                null,
                1));
        TestEndpoint gone = TestEndpoint.of(merchant);
        Document document = stored.all(CollectionNames.ENDPOINTS).stream()
                .filter(each -> gone.id().equals(each.get("_id", UUID.class)))
                .findFirst()
                .orElseThrow();
        stored.replace(
                CollectionNames.ENDPOINTS,
                document.append(EndpointFields.ENABLED, false)
                        .append(EndpointFields.DISABLED_REASON, "gone")
                        .append(EndpointFields.STATUS_SINCE, Date.from(now.plusSeconds(3_600))));

        JsonNode listed =
                gateway.admin().get("/admin/endpoints/failing").expect(200).json();
        String cursor = since.toEpochMilli() + "-" + endpoint.id();
        JsonNode behind = gateway.admin()
                .get("/admin/endpoints/failing?after=" + cursor)
                .expect(200)
                .json();

        assertThat(listed.at("/endpoints/0/id").asString())
                .isEqualTo(endpoint.id().toString());
        assertThat(listed.at("/endpoints/0/merchant_id").asString()).isEqualTo(merchant.id());
        assertThat(listed.at("/endpoints/0/failures").asInt()).isEqualTo(7);
        assertThat(listed.at("/disabled/0/id").asString()).isEqualTo(gone.id().toString());
        assertThat(listed.at("/disabled/0/disabled_reason").asString()).isEqualTo("gone");
        assertThat(behind.at("/endpoints/0/id").asString())
                .isEqualTo(second.id().toString());
        assertThat(behind.path("disabled")).isEmpty();
        gateway.admin().get("/admin/endpoints/failing?after=x").expectProblem(422, "validation_failed");
    }

    @Test
    void anOperatorEnablesTestsAndReplaysAndTheAuditNamesTheMerchant() {
        endpoint.enable(false);
        gateway.admin().post(one() + "/test", "{}").expectProblem(409, "endpoint_disabled");
        JsonNode enabled =
                gateway.admin().post(one() + "/enable", "{}").expect(200).json();
        gateway.admin().post(one() + "/test", "{}").expect(202);
        Answer begun = gateway.admin()
                .post(one() + "/replay", "{\"from\":\"2026-03-10T00:00:00Z\",\"to\":\"2026-03-11T00:00:00Z\"}")
                .expect(202);

        assertThat(enabled.path("status").asString()).isEqualTo("enabled");
        assertThat(begun.header("Location")).isEqualTo(one() + "/replays/" + begun.text("id"));
        await().untilAsserted(() -> assertThat(gateway.admin()
                        .get(begun.header("Location"))
                        .expect(200)
                        .text("status"))
                .isEqualTo("done"));
        JsonNode audit = gateway.admin()
                .get("/admin/audit?merchant=" + merchant.id())
                .expect(200)
                .json()
                .path("audit");
        assertThat(audit.valueStream().limit(2).map(entry -> entry.path("action")
                        .asString()))
                .containsExactly(
                        "POST /admin/merchants/{id}/endpoints/{endpoint_id}/replay",
                        "POST /admin/merchants/{id}/endpoints/{endpoint_id}/test");
    }

    @Test
    void anotherMerchantsEndpointIsNotFound() {
        String other = "/admin/merchants/" + gateway.newMerchant().id() + "/endpoints/" + endpoint.id();

        gateway.admin().get(other + "/deliveries").expectProblem(404, "not_found");
        for (String remedy : List.of("replay", "test", "enable")) {
            gateway.admin().post(other + "/" + remedy, "{}").expectProblem(404, "not_found");
        }
        gateway.admin().get("/admin/merchants/x/endpoints").expectProblem(404, "not_found");
    }
}
