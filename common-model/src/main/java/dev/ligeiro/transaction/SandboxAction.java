package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonValue;

/** A change that a merchant may make to a test transaction in place of the rail. */
public enum SandboxAction implements Coded {
    /** The rail confirms the payment. An expired cashin becomes paid, late; a cashout in analysis passes {@code in_process}. */
    PAY("pay", Status.PAID),
    DENY("deny", Status.DENIED),
    /**
     * The rail begins an analysis. Only the sandbox ends it, or the cancel of a cashout: the simulator knows nothing of this analysis, so
     * a test can look at the status for as long as it needs.
     */
    ANALYZE("analyze", Status.IN_ANALYSIS),
    EXPIRE("expire", Status.EXPIRED),
    /** The rail moves the money back that is not refunded yet. */
    REFUND("refund", Status.REFUND);

    private final String code;
    private final Status target;

    SandboxAction(String code, Status target) {
        this.code = code;
        this.target = target;
    }

    @Override
    @JsonValue
    public String code() {
        return code;
    }

    /** The status to which the action moves the transaction. */
    public Status target() {
        return target;
    }
}
