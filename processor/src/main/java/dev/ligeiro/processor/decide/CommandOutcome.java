package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Coded;

/** The outcome of a command, for metrics. */
public enum CommandOutcome implements Coded {
    /** It changed its transaction, called the rail or left an entry that refuses a request. */
    APPLIED,
    /** Its change was made before, or there is nothing to change. */
    UNCHANGED,
    /** It can never be processed and becomes a dead letter. */
    UNPROCESSABLE
}
