package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Status;

/** A change that a merchant may make to a test transaction in place of the rail. */
public enum SandboxAction implements Coded {
    PAY("pay", Status.PAID);

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
