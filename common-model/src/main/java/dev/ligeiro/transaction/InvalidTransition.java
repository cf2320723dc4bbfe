package dev.ligeiro.transaction;

import java.util.Set;

/** Thrown for a move that {@link Transition} does not allow. */
public final class InvalidTransition extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Status from;
    private final Status to;
    private final transient Set<Status> allowed;

    InvalidTransition(Status from, Status to, Set<Status> allowed) {
        super("status: " + from.code() + " to " + to.code() + " (expected one of: "
                + allowed.stream().map(Status::code).toList() + ")");
        this.from = from;
        this.to = to;
        this.allowed = allowed;
    }

    public Status from() {
        return from;
    }

    public Status to() {
        return to;
    }

    public Set<Status> allowed() {
        return allowed;
    }
}
