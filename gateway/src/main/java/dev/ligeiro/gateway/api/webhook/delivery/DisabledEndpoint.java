package dev.ligeiro.gateway.api.webhook.delivery;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.webhook.WebhookEndpoint;

/** The rule that nothing is scheduled for a disabled endpoint: a dispatcher would cancel it. */
public final class DisabledEndpoint {

    private DisabledEndpoint() {}

    /** @throws Problem 409 if {@code endpoint} is disabled */
    public static void refuse(WebhookEndpoint endpoint) {
        if (!endpoint.status().isEnabled()) {
            throw Problem.of(ProblemCode.ENDPOINT_DISABLED, "Enable the webhook endpoint first");
        }
    }
}
