package dev.ligeiro.message;

import dev.ligeiro.transaction.Coded;

/** A call of a payment rail. */
public enum RailCallKind implements Coded {
    SUBMIT,
    INQUIRE,
    CANCEL
}
