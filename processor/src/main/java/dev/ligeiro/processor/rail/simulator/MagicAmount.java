package dev.ligeiro.processor.rail.simulator;

import dev.ligeiro.transaction.Amount;
import java.util.Arrays;

/** What the cents of an amount make the simulated rail do. The guide for merchants (/docs) lists the effect on cashins and cashouts. */
enum MagicAmount {
    PAID_AT_ONCE(11),
    DENIED(12),
    ANALYSED(13),
    ANALYSED_THEN_DENIED(14),
    TIMES_OUT_AFTER_MOVING(16),
    TIMES_OUT_WITHOUT_MOVING(17),
    SENT_BACK(18),
    /** Any other cents. */
    ORDINARY(-1);

    private static final int CENTS_PER_REAL = 100;
    private static final MagicAmount[] BY_CENTS = new MagicAmount[CENTS_PER_REAL];

    static {
        Arrays.fill(BY_CENTS, ORDINARY);
        for (MagicAmount magic : values()) {
            if (magic != ORDINARY) {
                BY_CENTS[magic.cents] = magic;
            }
        }
    }

    private final int cents;

    MagicAmount(int cents) {
        this.cents = cents;
    }

    static MagicAmount of(Amount amount) {
        return BY_CENTS[(int) (amount.cents() % CENTS_PER_REAL)];
    }
}
