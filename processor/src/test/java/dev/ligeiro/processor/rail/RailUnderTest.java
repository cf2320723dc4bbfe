package dev.ligeiro.processor.rail;

import java.util.UUID;

/** A rail with what a test may do on its side: a bank in its own right, which survives the processor. */
public interface RailUnderTest {

    PaymentRail rail();

    /** How many times the rail has moved the money of a cashout or refund. */
    int moved(UUID id);

    /** The persons at the bank release everything that waits for them. */
    default void release() {}
}
