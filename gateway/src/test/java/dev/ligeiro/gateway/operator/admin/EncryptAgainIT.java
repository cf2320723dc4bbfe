package dev.ligeiro.gateway.operator.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.StoredWebhooks;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedGateway.class)
class EncryptAgainIT {

    private static final String ENCRYPT_AGAIN = "/admin/webhook-secrets/encrypt-again";
    private static final Tenant TENANT = new Tenant(999_001);

    private final RunningGateway gateway;
    private final StoredWebhooks database;

    EncryptAgainIT(RunningGateway gateway, StoredWebhooks database) {
        this.gateway = gateway;
        this.database = database;
    }

    /** The operator has changed the key and lost another one, and one endpoint is damaged. */
    @Test
    void secretsAreEncryptedAgainWithTheCurrentKey() {
        WebhookEndpoint old = Endpoints.endpointWithOldKey(UuidV7.at(1), TENANT, "https://example.com/");
        UUID lost = UuidV7.at(3);
        insert(EndpointDocument.of(old));
        insert(lost(lost));
        UUID undecodable = UuidV7.at(4);
        insert(EndpointDocument.of(Endpoints.endpoint(undecodable, TENANT, "https://example.com/"))
                .append("createdAt", "yesterday"));

        Answer first = gateway.admin().post(ENCRYPT_AGAIN, "{}").expect(200);
        Answer second = gateway.admin().post(ENCRYPT_AGAIN, "{}").expect(200);

        assertThat(first.json().path("encrypted").asInt()).isEqualTo(1);
        assertThat(first.json().path("unreadable").toString()).isEqualTo("[\"" + lost + "\",\"" + undecodable + "\"]");
        assertThat(second.json().path("encrypted").asInt()).isZero();
        assertThat(second.json().path("next_cursor").isNull()).isTrue();
        assertThat(database.endpoint(old.id()).secrets()).allMatch(secret -> Endpoints.KEYS.isCurrent(secret.secret()));
        assertThat(database.secrets(old.id())).containsExactly(Endpoints.SECRET.text());
        EncryptedText header =
                Objects.requireNonNull(database.endpoint(old.id()).headers().get("x-old"));
        assertThat(Endpoints.KEYS.decryptHeader(old.id(), "x-old", header)).isEqualTo("value");
    }

    private static Document lost(UUID id) {
        return EndpointDocument.of(Endpoints.withSecrets(
                Endpoints.endpoint(id, TENANT, "https://example.com/"),
                List.of(new EndpointSecret(new EncryptedText("lost:AAAA"), null))));
    }

    private void insert(Document endpoint) {
        database.insert(CollectionNames.ENDPOINTS, endpoint);
    }
}
