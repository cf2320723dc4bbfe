package dev.ligeiro.transaction;

/** Why a transaction does not allow a change. The codes are those of the API's problems. */
public enum ChangeRefusal implements Coded {
    /** The status does not allow it. */
    INVALID_TRANSITION,
    /** The transaction has a live mode, and the action is for test transactions only. */
    TEST_MODE_ONLY,
    /** The refunds, failed ones left out, would exceed the amount. */
    REFUND_EXCEEDS_AMOUNT,
    /** The payment is older than {@link ChangeRules#REFUND_WINDOW}. */
    REFUND_WINDOW_CLOSED,
    /** The transaction has {@link ChangeRules#REFUNDS_MAX} refunds. */
    REFUND_LIMIT_REACHED,
    /** The transaction has a refund with this reference and another amount or description. */
    REFUND_REFERENCE_ALREADY_USED,
    /** An operator has frozen the merchant. */
    MERCHANT_FROZEN,
    /** The processor cannot decide now: it lacks the rail, or the guard of the tenant is damaged. */
    UNAVAILABLE,
    /** The rail has decided about the dispute, or the transaction has no such dispute. */
    DISPUTE_CLOSED,
    /** The rail took defences until the dispute's deadline. */
    DEFENSE_TOO_LATE,
    /** The dispute has a defence, or one is on its way. A rail takes one. */
    ALREADY_DEFENDED,
    /** The rail does not take the defence, for a reason of its own, or has rejected the most that a merchant may try. */
    DEFENSE_REJECTED,
    /** Another of the tenant's requests has this idempotency key. */
    IDEMPOTENCY_KEY_REUSED
}
