package dev.ligeiro.gateway.api.change;

import dev.ligeiro.gateway.http.request.AmountField;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;

/** Reads the body of a refund: {@code {amount?, refund_reference?, description?}}. Without an amount, all that is left is refunded. */
final class RefundFields {

    private static final int REFERENCE_MAX = 50;
    private static final int DESCRIPTION_MAX = 255;

    private RefundFields() {}

    /** @throws dev.ligeiro.gateway.http.problem.Problem 422 with every invalid field */
    static ChangeAction.Refund parse(Fields fields) {
        ChangeAction.Refund refund = new ChangeAction.Refund(
                AmountField.optional(fields, "amount", Amount.MAX),
                fields.optionalText("refund_reference", REFERENCE_MAX),
                fields.optionalText("description", DESCRIPTION_MAX));
        fields.orThrow();
        return refund;
    }
}
