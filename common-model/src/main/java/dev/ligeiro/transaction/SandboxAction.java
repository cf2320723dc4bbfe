package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonValue;

/** A change that a merchant may make to a test transaction in place of the rail. */
public enum SandboxAction implements Coded {
    /** The rail confirms the payment. An expired cashin becomes paid, late. */
    PAY("pay", Status.PAID),
    DENY("deny", Status.DENIED),
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
