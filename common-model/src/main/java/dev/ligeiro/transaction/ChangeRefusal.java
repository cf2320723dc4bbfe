package dev.ligeiro.transaction;

/** Why a transaction does not allow a change. The codes are those of the API's problems. */
public enum ChangeRefusal implements Coded {
    /** The status does not allow it. */
    INVALID_TRANSITION("invalid_transition"),
    /** The transaction has a live mode, and the action is for test transactions only. */
    TEST_MODE_ONLY("test_mode_only"),
    /** The refunds, failed ones left out, would exceed the amount. */
    REFUND_EXCEEDS_AMOUNT("refund_exceeds_amount"),
    /** The payment is older than {@link ChangeRules#REFUND_WINDOW}. */
    REFUND_WINDOW_CLOSED("refund_window_closed"),
    /** The transaction has {@link ChangeRules#REFUNDS_MAX} refunds. */
    REFUND_LIMIT_REACHED("refund_limit_reached"),
    /** The transaction has a refund with this reference and another amount or description. */
    REFUND_REFERENCE_ALREADY_USED("refund_reference_already_used"),
    /** Another of the tenant's requests has this idempotency key. */
    IDEMPOTENCY_KEY_REUSED("idempotency_key_reused");

    private static final Codes<ChangeRefusal> CODES = new Codes<>(ChangeRefusal.class);

    private final String code;

    ChangeRefusal(String code) {
        this.code = code;
    }

    @Override
    public String code() {
        return code;
    }

    /** @throws IllegalArgumentException when no refusal has this code */
    public static ChangeRefusal fromCode(String code) {
        return CODES.get(code);
    }
}
