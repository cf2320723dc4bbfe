package dev.ligeiro.support.lease;

/** Another process has taken the lease, or this process has taken it again: the caller's claim is no longer the latest. */
public final class LeaseLost extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LeaseLost(String lease) {
        super("lease " + lease + ": lost (expected: held until the end of the pass)");
    }
}
