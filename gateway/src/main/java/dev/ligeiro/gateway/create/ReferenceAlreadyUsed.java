package dev.ligeiro.gateway.create;

/** Another transaction of the tenant has the reference. */
final class ReferenceAlreadyUsed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ReferenceAlreadyUsed() {
        super(null, null, false, false);
    }
}
