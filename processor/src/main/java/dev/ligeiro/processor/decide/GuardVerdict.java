package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Coded;

/** Whether a cashout may go to its rail. In the order in which they are checked: the first denial counts. */
public enum GuardVerdict implements Coded {
    PASSED,
    /** It cannot be decided now: the cashout stays new, and the gateway sends its command again. */
    WAITS,
    CASHOUTS_STOPPED,
    MERCHANT_FROZEN,
    KEY_NOT_ALLOWED,
    LIMIT_AMOUNT,
    LIMIT_COUNT,
    LIMIT_DAY,
    LIMIT_NIGHT,
    INSUFFICIENT_FUNDS,
    /** It waits until a person approves it. */
    APPROVAL_REQUIRED;

    public boolean isDenial() {
        return this != PASSED && this != WAITS && this != APPROVAL_REQUIRED;
    }
}
