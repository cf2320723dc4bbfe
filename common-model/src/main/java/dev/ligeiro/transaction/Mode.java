package dev.ligeiro.transaction;

/** Whether money moves: test transactions only ever reach the simulator, live ones only the configured rail. */
public enum Mode implements Coded {
    TEST,
    LIVE;

    /** {@code test} or {@code live}; API keys carry it in their prefix. */
    @Override
    public String code() {
        return this == TEST ? "test" : "live";
    }
}
