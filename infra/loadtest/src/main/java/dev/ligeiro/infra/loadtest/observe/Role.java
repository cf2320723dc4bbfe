package dev.ligeiro.infra.loadtest.observe;

import java.util.Locale;

/** The kinds of processes that a run is accounted to. */
public enum Role {
    GATEWAY("GATEWAY_PID", true),
    PROCESSOR("PROCESSOR_PID", true),
    WEBHOOK_DISPATCHER("WEBHOOK_DISPATCHER_PID", true),
    MONGOD("MONGOD_PID", true),
    KAFKA("KAFKA_PID", true),
    /** Of {@code infra/run}: part of the system, though it only watches. */
    LAUNCHER("", true),
    GENERATOR("", false),
    RECEIVER("", false);

    private final String envName;
    private final boolean system;

    Role(String envName, boolean system) {
        this.envName = envName;
        this.system = system;
    }

    /** Its name in {@code demo.env}, empty when it is not there. */
    String envName() {
        return envName;
    }

    /** Whether it is part of what is measured, and not of what measures. */
    public boolean isSystem() {
        return system;
    }

    /** Whether it is one of ours, with Actuator behind it. */
    public boolean isService() {
        return this == GATEWAY || this == PROCESSOR || this == WEBHOOK_DISPATCHER;
    }

    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
