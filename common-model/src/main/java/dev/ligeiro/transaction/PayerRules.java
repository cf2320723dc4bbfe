package dev.ligeiro.transaction;

/**
 * What a merchant wants of the payers of its cashins. A transaction keeps those of its creation.
 *
 * @param mustMatch whether the payer's tax id must be the transaction's document
 * @param refundsMismatch whether a payment by another is refunded at once
 * @param visible whether the merchant is shown who has paid
 */
public record PayerRules(boolean mustMatch, boolean refundsMismatch, boolean visible) {

    public static final PayerRules NONE = new PayerRules(false, false, false);

    public PayerRules withMustMatch(boolean must) {
        return new PayerRules(must, refundsMismatch, visible);
    }
}
