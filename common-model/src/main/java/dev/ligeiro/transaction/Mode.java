package dev.ligeiro.transaction;

/** Whether money moves: test transactions only ever reach the simulator, live ones only the configured rail. */
public enum Mode {
    TEST,
    LIVE;

    /** The word of the API and of key prefixes: {@code test} or {@code live}. */
    public String word() {
        return this == TEST ? "test" : "live";
    }
}
