package dev.ligeiro.gateway.create;

/** Thrown when another transaction of the tenant has the same reference. */
final class ReferenceAlreadyUsed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ReferenceAlreadyUsed() {
        super(null, null, false, false);
    }
}
