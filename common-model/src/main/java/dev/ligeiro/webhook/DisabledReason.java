package dev.ligeiro.webhook;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;
import java.util.Optional;

/** Why an endpoint is disabled. */
public enum DisabledReason implements Coded {
    /** Its merchant disabled it. */
    MERCHANT,
    /** Its URL responded with 410. */
    GONE,
    /** For 5 days no delivery to it succeeded. */
    FAILING;

    private static final Codes<DisabledReason> CODES = new Codes<>(DisabledReason.class);

    /** The reason with this code, or empty. */
    public static Optional<DisabledReason> findByCode(String code) {
        return CODES.find(code);
    }
}
