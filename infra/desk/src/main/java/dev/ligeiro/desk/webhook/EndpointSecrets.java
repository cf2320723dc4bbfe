package dev.ligeiro.desk.webhook;

import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.webhook.AllowedNetworks;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.WebhookEndpoint;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The settings of the installation that webhooks depend on: the internal networks that they may call, the key that encrypts stored secrets. */
@RestController
@Tag(name = "webhooks")
class EndpointSecrets {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointSecrets.class);
    private static final int ENDPOINTS_MAX = 200;

    private final EndpointStore store;
    private final SecretKeys keys;
    private final AllowedNetworks networks;

    EndpointSecrets(EndpointStore store, SecretKeys keys, Settings settings) {
        this.store = store;
        this.keys = keys;
        this.networks = AllowedNetworks.parse(settings.allowedNetworks);
    }

    /** @param allowedNetworks internal addresses and networks that webhooks may call; the dispatchers have the same setting */
    @ConfigurationProperties("ligeiro.webhook")
    record Settings(@DefaultValue List<String> allowedNetworks) {}

    record Networks(List<String> networks) {}

    @GetMapping("/admin/webhook-networks")
    @Needs(Role.READ)
    @Operation(summary = "Internal networks that webhooks may call: a setting of the installation")
    Networks networks() {
        return new Networks(networks.networks().stream().map(Object::toString).toList());
    }

    record After(@Nullable UUID after) {}

    /**
     * The result of a step, in the order of the endpoints' ids.
     *
     * @param encrypted the number of endpoints that were written
     * @param unreadable the endpoints with a secret or header that no key decrypts, or a document that cannot be decoded; they stay as they
     *     are
     * @param nextCursor where the next step begins; null after the last one
     */
    record Step(long encrypted, List<UUID> unreadable, @Nullable UUID nextCursor) {}

    /** Idempotent: it skips endpoints that the current key encrypts. */
    @PostMapping("/admin/webhook-secrets/encrypt-again")
    @Needs(Role.OPERATE)
    @Operation(summary = "Encrypt the next 200 endpoints' secrets with the current key")
    Step encryptAgain(@RequestBody After body) {
        Map<UUID, Optional<WebhookEndpoint>> page = store.page(body.after, ENDPOINTS_MAX);
        List<UUID> unreadable = new ArrayList<>();
        long encrypted = 0;
        UUID last = null;
        for (Map.Entry<UUID, Optional<WebhookEndpoint>> each : page.entrySet()) {
            last = each.getKey();
            try {
                if (!isCurrent(each.getValue().orElseThrow(IllegalArgumentException::new))) {
                    encrypted += store.change(last, this::encryptedAgain).isPresent() ? 1 : 0;
                }
            } catch (IllegalArgumentException unreadableOne) {
                unreadable.add(last);
            }
        }
        LOG.atInfo()
                .addKeyValue("event.action", "webhook_secrets_encrypted_again")
                .addKeyValue("endpoints", page.size())
                .addKeyValue("encrypted", encrypted)
                .addKeyValue("unreadable", unreadable.size())
                .log("Webhook secrets were encrypted with the current key");
        return new Step(encrypted, unreadable, page.size() < ENDPOINTS_MAX ? null : last);
    }

    private boolean isCurrent(WebhookEndpoint endpoint) {
        return endpoint.secrets().stream().map(EndpointSecret::secret).allMatch(keys::isCurrent)
                && endpoint.headers().values().stream().allMatch(keys::isCurrent);
    }

    /** @throws IllegalArgumentException if a secret or header cannot be decrypted */
    private WebhookEndpoint encryptedAgain(WebhookEndpoint endpoint) {
        List<EndpointSecret> secrets = endpoint.secrets().stream()
                .map(each -> new EndpointSecret(
                        keys.encrypt(endpoint.id(), keys.decrypt(endpoint.id(), each.secret())), each.validUntil()))
                .toList();
        Map<String, EncryptedText> headers = new HashMap<>();
        endpoint.headers()
                .forEach((name, value) -> headers.put(
                        name, keys.encryptHeader(endpoint.id(), name, keys.decryptHeader(endpoint.id(), name, value))));
        return endpoint.with(secrets, headers);
    }
}
