package dev.ligeiro.infra.bank;

/** Amounts that the bank treats in a special way, so that each refusal can be had at will. */
final class MagicAmounts {

    /** A refund of 13.13 is accepted and fails later. */
    static final long REFUND_FAILS = 13_13;

    /** 9904.00 is refused with 400, 9904.09 with 409, 9904.22 with 422. */
    private static final long REFUSED = 9904_00;

    private MagicAmounts() {}

    /** Refuses the amounts of charges, refunds and sends that say so. */
    static void check(long cents) {
        if (cents == REFUSED || cents == REFUSED + 9 || cents == REFUSED + 22) {
            throw Refusal.efi((int) (400 + cents - REFUSED), "valor_invalido", "O valor é recusado sempre");
        }
    }
}
