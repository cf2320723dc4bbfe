package dev.ligeiro.transaction;

/** Whether a transaction moves real money: test transactions use only the simulator, live ones only the configured rail. */
public enum Mode implements Coded {
    TEST,
    LIVE
}
