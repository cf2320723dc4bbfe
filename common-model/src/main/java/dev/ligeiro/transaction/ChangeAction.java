package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A change that a merchant or an operator asks for. {@link ChangeRules} say whether a transaction allows it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ChangeAction.Cancel.class, name = "cancel"),
    @JsonSubTypes.Type(value = ChangeAction.Refund.class, name = "refund"),
    @JsonSubTypes.Type(value = ChangeAction.Sandbox.class, name = "sandbox"),
    @JsonSubTypes.Type(value = ChangeAction.Resolve.class, name = "resolve"),
    @JsonSubTypes.Type(value = ChangeAction.Approval.class, name = "approval"),
    @JsonSubTypes.Type(value = ChangeAction.Defense.class, name = "defense")
})
public sealed interface ChangeAction {

    /** The status to which the action moves a transaction; a partial refund and a defence keep the status. */
    Status target();

    record Cancel() implements ChangeAction {

        @Override
        public Status target() {
            return Status.CANCELED;
        }
    }

    /**
     * Moves money of a paid cashin back to its payer.
     *
     * @param amount null for all that is not refunded yet
     * @param reference the merchant's own identifier, unique within the transaction; null when not given
     * @param description the merchant's text; null when not given
     */
    record Refund(@Nullable Amount amount, @Nullable String reference, @Nullable String description)
            implements ChangeAction {

        @Override
        public Status target() {
            return Status.REFUND;
        }
    }

    /**
     * Acts in place of the rail on a test transaction.
     *
     * @param payer who pays a cashin; null when not given
     */
    record Sandbox(SandboxAction action, @Nullable Payer payer) implements ChangeAction {

        public Sandbox(SandboxAction action) {
            this(action, null);
        }

        @Override
        public Status target() {
            return action.target();
        }
    }

    /**
     * What operators have decided: about the unknown outcome of a cashout or refund, or that a cashin is paid by an unmatched payment.
     *
     * @param refund the refund that it is about; null for the transaction itself
     * @param moved whether the money has moved
     * @param settlement the payment as the bank names it; null unless the transaction is paid
     */
    record Resolve(@Nullable RefundId refund, boolean moved, @Nullable Settlement settlement) implements ChangeAction {

        @Override
        public Status target() {
            return moved ? Status.PAID : Status.DENIED;
        }
    }

    /**
     * Decides about a cashout that waits for approval.
     *
     * @param approved whether it goes to its rail; otherwise it is denied
     * @param source the merchant or an operator
     * @param reason in the words of who decides; null when not given
     */
    record Approval(boolean approved, Source source, @Nullable String reason) implements ChangeAction {

        /** The reason of a denial by a person. */
        public static final String NOT_APPROVED = "not_approved";

        @Override
        public Status target() {
            return approved ? Status.IN_PROCESS : Status.DENIED;
        }
    }

    /**
     * Defends a payment against a dispute.
     *
     * @param text goes to the rail as it is
     */
    record Defense(UUID dispute, String text) implements ChangeAction {

        public Defense {
            int length = text.codePointCount(0, text.length());
            if (text.isBlank() || length > Dispute.DEFENSE_MAX) {
                throw new IllegalArgumentException(
                        "text: " + length + " characters (expected: 1 to " + Dispute.DEFENSE_MAX + ")");
            }
        }

        /** That of a payment: a defence changes nothing. */
        @Override
        public Status target() {
            return Status.PAID;
        }

        /** Hides the text: it may name people. */
        @Override
        public String toString() {
            return "Defense[dispute=" + dispute + "]";
        }
    }
}
