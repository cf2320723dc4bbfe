package dev.ligeiro.gateway.api.webhook;

/** Thrown when another endpoint of the tenant has the slot. */
final class SlotTaken extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SlotTaken() {
        super(null, null, false, false);
    }
}
