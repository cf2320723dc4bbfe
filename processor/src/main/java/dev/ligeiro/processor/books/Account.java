package dev.ligeiro.processor.books;

import dev.ligeiro.store.BalanceFields;

/** An account of a tenant. What is added to {@link #RAIL} equals what is added to the others: they say whose the money is. */
enum Account {
    /** The money at the rail, which has one account under its name. */
    RAIL(BalanceFields.RAIL),
    /** What the operator owes the merchant. */
    MERCHANT(BalanceFields.MERCHANT),
    /** What the operator has earned. */
    FEES(BalanceFields.FEES),
    /** Cashouts that a rail may be paying, with their commissions. */
    OUT_IN_FLIGHT(BalanceFields.OUT_IN_FLIGHT),
    /** Refunds that a rail may be making. */
    REFUND_IN_FLIGHT(BalanceFields.REFUND_IN_FLIGHT),
    /** Money that no transaction can take. */
    UNMATCHED(BalanceFields.UNMATCHED),
    /** The merchant's money that disputes block. */
    BLOCKED(BalanceFields.BLOCKED);

    private final String field;

    Account(String field) {
        this.field = field;
    }

    /** The field of its amount, in postings and in balances. */
    String field() {
        return field;
    }
}
