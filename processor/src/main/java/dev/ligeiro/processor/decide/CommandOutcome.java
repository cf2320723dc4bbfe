package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Coded;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The outcome of a command, for metrics and as the reason of its dead letter. */
public enum CommandOutcome implements Coded {
    /** It changed its transaction, called the rail or left an entry that refuses a request. */
    APPLIED,
    /** Its change was made before, or there is nothing to change. */
    UNCHANGED,
    /** Its processing always fails. */
    UNPROCESSABLE,
    TRANSACTION_NOT_FOUND,
    /** It carries another tenant, operation, amount, key or other term than the stored transaction: no gateway has sent it so. */
    OTHER_TERMS,
    /** It is a rail's answer that would change a transaction, and that its open rail call has not signed. */
    NO_RAIL_CALL,
    /** It is a decision of operators that MongoDB does not have as confirmed. */
    NOT_CONFIRMED;

    /** The processor refuses these commands; they become dead letters. */
    public static final Set<CommandOutcome> REFUSALS =
            Collections.unmodifiableSet(EnumSet.range(TRANSACTION_NOT_FOUND, NOT_CONFIRMED));
}
