package dev.ligeiro.gateway.api.create;

/** Thrown when another transaction of the tenant has the same reference or idempotency key. */
final class DuplicateKey extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DuplicateKey() {
        super(null, null, false, false);
    }
}
