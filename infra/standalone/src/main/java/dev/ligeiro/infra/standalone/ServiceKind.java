package dev.ligeiro.infra.standalone;

import java.util.List;
import java.util.stream.Stream;

/** The three services, in the order in which a start wants them: the processor creates the topics. */
enum ServiceKind {
    PROCESSOR("processor", 1, batches("-Xmx96m")),
    GATEWAY("gateway", 0, List.of("-Xmx160m")),
    WEBHOOK_DISPATCHER("webhook-dispatcher", 2, batches("-Xmx128m"));

    /**
     * Of every service's JVM on a small machine: little memory, and an exit when it runs out.
     */
    private static final List<String> JVM_OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:+UseTransparentHugePages",
            "-Xss512k",
            "-XX:MetaspaceSize=96m",
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.awt.headless=true");

    private final String module;
    private final int managementPortOffset;
    private final List<String> ownJvmOptions;

    ServiceKind(String module, int managementPortOffset, List<String> ownJvmOptions) {
        this.module = module;
        this.managementPortOffset = managementPortOffset;
        this.ownJvmOptions = ownJvmOptions;
    }

    /**
     * Of a service that works in batches: most of its code runs once a batch, gets hot over many minutes, and would keep C2 busy
     * all the while. It is left to C1; what runs per record is with C2 in half a minute.
     */
    private static List<String> batches(String heap) {
        return List.of(
                heap,
                "-XX:Tier4InvocationThreshold=50000",
                "-XX:Tier4MinInvocationThreshold=6000",
                "-XX:Tier4CompileThreshold=150000");
    }

    /** Whether callers wait for it. For the others only a change of a transaction does, up to 2 s; a create never. */
    boolean answersCallers() {
        return this == GATEWAY;
    }

    /** The folder of its module, which is also its name. */
    String module() {
        return module;
    }

    /** Where its first instance's management port lies above the first management port. */
    int managementPortOffset() {
        return managementPortOffset;
    }

    List<String> jvmOptions() {
        return Stream.concat(JVM_OPTIONS.stream(), ownJvmOptions.stream()).toList();
    }
}
