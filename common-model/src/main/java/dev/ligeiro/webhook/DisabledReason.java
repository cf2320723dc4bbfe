package dev.ligeiro.webhook;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;
import java.util.Optional;

/** Why an endpoint is disabled. */
public enum DisabledReason implements Coded {
    /** Its merchant disabled it. */
    MERCHANT("merchant"),
    /** Its URL responded with 410. */
    GONE("gone"),
    /** For 5 days no delivery to it succeeded. */
    FAILING("failing");

    private static final Codes<DisabledReason> CODES = new Codes<>(DisabledReason.class);

    private final String code;

    DisabledReason(String code) {
        this.code = code;
    }

    @Override
    public String code() {
        return code;
    }

    /** The reason with this code, or empty. */
    public static Optional<DisabledReason> findByCode(String code) {
        return CODES.find(code);
    }
}
