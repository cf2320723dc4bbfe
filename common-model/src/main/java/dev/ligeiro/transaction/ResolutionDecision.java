package dev.ligeiro.transaction;

/** What operators decide about something that no rail will tell. */
public enum ResolutionDecision implements Coded {
    /** A cashout whose outcome is unknown was paid. */
    PAID,
    /** It was not paid, and never will be. */
    DENIED,
    /** A refund without an answer was made. */
    MADE,
    /** It was not made, and never will be. */
    FAILED,
    /** An unmatched payment pays a cashin. */
    ASSIGN,
    /** It is booked to the merchant of a transaction. */
    CREDIT,
    /** It is booked to the operator. */
    KEEP,
    /** It goes back to its payer over the rail. */
    RETURN;

    /** Whether it is about an unmatched payment, not about an unknown outcome. */
    public boolean isOfPayment() {
        return compareTo(ASSIGN) >= 0;
    }
}
