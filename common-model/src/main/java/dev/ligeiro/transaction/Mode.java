package dev.ligeiro.transaction;

/** Whether a transaction moves real money: test transactions use only the simulator, live ones only the configured rail. */
public enum Mode implements Coded {
    TEST,
    LIVE;

    /** {@code test} or {@code live}; also part of an API key's prefix ({@code sk_test_}, {@code sk_live_}). */
    @Override
    public String code() {
        return this == TEST ? "test" : "live";
    }
}
