package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Status;

/** What a tester may do to a test transaction in place of the rail. */
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

    /** The status the action asks for. */
    public Status target() {
        return target;
    }
}
