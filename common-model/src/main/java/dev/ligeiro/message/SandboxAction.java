package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.ligeiro.transaction.Status;

/** What a tester may do to a test transaction in place of the rail. */
public enum SandboxAction {
    PAY("pay", Status.PAID);

    private final String word;
    private final Status target;

    SandboxAction(String word, Status target) {
        this.word = word;
        this.target = target;
    }

    /** The word of the API's path and of messages. */
    @JsonValue
    public String word() {
        return word;
    }

    /** The status the action asks for. */
    public Status target() {
        return target;
    }
}
