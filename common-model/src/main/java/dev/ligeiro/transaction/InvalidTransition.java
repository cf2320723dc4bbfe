package dev.ligeiro.transaction;

import java.util.Set;

/** Thrown for a move that {@link Transition} does not allow. */
public final class InvalidTransition extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidTransition(Status from, Status to, Set<Status> allowed) {
        super("status: " + from.code() + " to " + to.code() + " (expected one of: "
                + allowed.stream().map(Status::code).toList() + ")");
    }
}
