package dev.ligeiro.transaction;

/**
 * The person or company named in a transaction, normalised by the gateway. Personal data: never log it. All are empty once {@link Redaction}
 * has removed them.
 *
 * @param name full name, at most 100 code points
 * @param email at most 77 characters
 * @param phone E.164
 * @param document CPF or CNPJ without mask
 */
public record Party(String name, String email, String phone, String document) {

    static final Party REMOVED = new Party("", "", "", "");

    /** Whether personal data was removed; a document is never empty otherwise. Not a getter by its name: messages would have it. */
    public boolean wasRemoved() {
        return document.isEmpty();
    }

    @Override
    public String toString() {
        return "Party[…]";
    }
}
