package dev.ligeiro.transaction;

/** The direction of a transaction: a cashin receives money from a payer, a cashout sends money to a Pix key. */
public enum Operation implements Coded {
    CASHIN,
    CASHOUT;

    private static final Codes<Operation> CODES = new Codes<>(Operation.class);

    /** @throws IllegalArgumentException when no operation has this code */
    public static Operation fromCode(String code) {
        return CODES.get(code);
    }
}
