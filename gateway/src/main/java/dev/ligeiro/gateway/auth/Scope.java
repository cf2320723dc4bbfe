package dev.ligeiro.gateway.auth;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;
import java.util.Optional;

/** A permission of an API key. */
public enum Scope implements Coded {
    TRANSACTIONS_READ("transactions:read"),
    TRANSACTIONS_WRITE("transactions:write"),
    WEBHOOKS_MANAGE("webhooks:manage");

    private static final Codes<Scope> CODES = new Codes<>(Scope.class);

    private final String code;

    Scope(String code) {
        this.code = code;
    }

    @Override
    public String code() {
        return code;
    }

    /** The scope with this code, or empty. */
    public static Optional<Scope> findByCode(String code) {
        return CODES.find(code);
    }
}
