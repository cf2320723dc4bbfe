package dev.ligeiro.desk.money;

import dev.ligeiro.desk.http.ByForm;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ResolutionDecision;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PastOrPresent;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A decision and its subject.
 *
 * @param transaction the one with the unknown outcome, or to which an unmatched payment is assigned or credited
 * @param unmatchedPayment the id of its record; null for an unknown outcome
 * @param e2eId the payment as the bank names it, of a cashout that was paid; else null
 * @param amount of the unmatched payment, to confirm it; a program may leave it out
 */
public record Proposal(
        @NotNull ResolutionDecision decision,
        @Nullable UUID transaction,
        @Nullable UUID refund,
        @Size(max = 200) @Nullable String unmatchedPayment,
        @Nullable String e2eId,
        @PastOrPresent(message = "expected a time in the past, such as 2026-01-31T12:00:00Z") @Nullable Instant paidAt,
        @Nullable Amount amount,
        @NotBlank @Size(max = Reason.LENGTH_MAX) String reason) {

    @AssertTrue(
            message = "expected an end-to-end id: E, 8 letters or digits of the ISPB, 12 digits of the minute,"
                    + " 11 letters or digits")
    private boolean isE2eId() {
        try {
            return e2eId == null || e2eId.equals(new EndToEndId(e2eId).value());
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    @AssertTrue(groups = ByForm.class, message = "expected the sum that is decided about")
    private boolean isAmount() {
        return amount != null || !paysOut(decision);
    }

    /** Whether money goes to the payer or to a merchant by it. */
    static boolean paysOut(ResolutionDecision decision) {
        return decision == ResolutionDecision.RETURN || decision == ResolutionDecision.CREDIT;
    }

    /** One decision at a time is open about it. */
    String subject() {
        if (unmatchedPayment != null) {
            return "unmatched_payment/" + unmatchedPayment;
        }
        return refund == null ? "transaction/" + transaction : "refund/" + refund;
    }

    /** The fields that the decision lacks, and those that belong to others. */
    List<FieldError> misfits() {
        List<FieldError> errors = new ArrayList<>();
        boolean isOfRefund = decision == ResolutionDecision.MADE || decision == ResolutionDecision.FAILED;
        boolean isPaid = decision == ResolutionDecision.PAID;
        require(errors, "unmatched_payment", unmatchedPayment, decision.isOfPayment());
        require(errors, "refund", refund, isOfRefund);
        // of a payment that is kept or returned, a transaction may name the merchant in whose books it is
        if (decision != ResolutionDecision.KEEP && decision != ResolutionDecision.RETURN) {
            require(errors, "transaction", transaction, true);
        }
        require(errors, "e2e_id", e2eId, isPaid);
        require(errors, "paid_at", paidAt, isPaid);
        return errors;
    }

    private void require(List<FieldError> errors, String field, @Nullable Object value, boolean isNeeded) {
        if (value != null && !isNeeded) {
            errors.add(FieldError.invalid(field, "expected none for the decision " + decision.code()));
        } else if (value == null && isNeeded) {
            errors.add(FieldError.required(field));
        }
    }
}
