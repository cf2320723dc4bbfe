package dev.ligeiro.transaction;

/** A change that a merchant may make to a test transaction in place of the rail. */
public enum SandboxAction implements Coded {
    /** The rail confirms the payment. An expired cashin becomes paid, late; a cashout in analysis passes {@code in_process}. */
    PAY(Status.PAID),
    DENY(Status.DENIED),
    /**
     * The rail begins an analysis. Only the sandbox ends it, or the cancel of a cashout: the simulator knows nothing of this analysis, so
     * a test can look at the status for as long as it needs.
     */
    ANALYZE(Status.IN_ANALYSIS),
    EXPIRE(Status.EXPIRED),
    /** The rail moves the money back that is not refunded yet. */
    REFUND(Status.REFUND);

    private final Status target;

    SandboxAction(Status target) {
        this.target = target;
    }

    public Status target() {
        return target;
    }
}
