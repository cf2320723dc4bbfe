package dev.ligeiro.support.kafka;

import dev.ligeiro.transaction.Coded;

/** The reasons for dead letters that all services have. A service adds its own reasons to refuse a message. */
public enum DeadLetterReason implements Coded {
    INVALID_MESSAGE,
    FAILED
}
