package dev.ligeiro.webhook;

import dev.ligeiro.transaction.Coded;

/** Why an endpoint is disabled. */
public enum DisabledReason implements Coded {
    MERCHANT,
    /** Its URL responded with 410. */
    GONE,
    /** For 5 days no delivery to it succeeded. */
    FAILING
}
