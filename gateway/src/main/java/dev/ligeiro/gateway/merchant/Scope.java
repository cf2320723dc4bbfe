package dev.ligeiro.gateway.merchant;

import java.util.Optional;

/** What an API key may do. */
public enum Scope {
    TRANSACTIONS_READ("transactions:read"),
    TRANSACTIONS_WRITE("transactions:write"),
    WEBHOOKS_MANAGE("webhooks:manage");

    private final String word;

    Scope(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** The scope that {@code word} names, or empty. */
    public static Optional<Scope> ofWord(String word) {
        for (Scope scope : values()) {
            if (scope.word.equals(word)) {
                return Optional.of(scope);
            }
        }
        return Optional.empty();
    }
}
