package dev.ligeiro.infra.loadtest;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.ligeiro.transaction.Coded;
import java.util.Locale;

/** The kinds of processes whose CPU is reported. */
enum Role implements Coded {
    GATEWAY,
    PROCESSOR,
    WEBHOOK_DISPATCHER,
    MONGOD,
    KAFKA,
    /** {@code infra/run}, which starts the other processes and restarts them. */
    LAUNCHER,
    GENERATOR,
    RECEIVER;

    /** Whether it belongs to the system under test: all but this load test. */
    boolean isSystem() {
        return this != GENERATOR && this != RECEIVER;
    }

    @Override
    @JsonValue
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
