package dev.ligeiro.infra.launcher.service;

/**
 * The secrets that the launcher gives to the services, unless its environment has others.
 *
 * @param adminToken the bearer token of the gateway's admin API
 * @param webhookSecretKeys the keys that encrypt webhook secrets
 */
public record ServiceSecrets(String adminToken, String webhookSecretKeys) {

    /** Hides the secrets. */
    @Override
    public String toString() {
        return "ServiceSecrets[hidden]";
    }
}
