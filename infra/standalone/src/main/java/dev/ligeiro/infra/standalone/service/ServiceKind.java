package dev.ligeiro.infra.standalone.service;

import dev.ligeiro.infra.standalone.options.Options;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** The three services, in the order of their management ports. */
public enum ServiceKind {
    GATEWAY("gateway", Options::gateways, List.of("-Xmx160m")),
    PROCESSOR("processor", Options::processors, batchService("-Xmx96m")),
    WEBHOOK_DISPATCHER("webhook-dispatcher", Options::webhookDispatchers, batchService("-Xmx128m"));

    /** For a small machine: little memory, and an exit of the JVM when its memory runs out. */
    private static final List<String> JVM_OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:+UseTransparentHugePages",
            "-Xss512k",
            "-XX:MetaspaceSize=96m",
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.awt.headless=true");

    private final String module;
    private final ToIntFunction<Options> instances;
    private final List<String> ownJvmOptions;

    ServiceKind(String module, ToIntFunction<Options> instances, List<String> ownJvmOptions) {
        this.module = module;
        this.instances = instances;
        this.ownJvmOptions = ownJvmOptions;
    }

    /**
     * The options of a service that works in batches. Most of its methods run once a batch: with the default thresholds C2 compiles
     * them one by one over many minutes. With these thresholds they stay compiled by C1, and methods that run once a record are
     * compiled by C2 within 30 s.
     */
    private static List<String> batchService(String heap) {
        return List.of(
                heap,
                "-XX:Tier4InvocationThreshold=50000",
                "-XX:Tier4MinInvocationThreshold=6000",
                "-XX:Tier4CompileThreshold=150000");
    }

    /** Only the gateway: HTTP callers wait for it. */
    boolean hasCpuPriority() {
        return this == GATEWAY;
    }

    /** The folder and the name of its module. */
    public String module() {
        return module;
    }

    int instances(Options options) {
        return instances.applyAsInt(options);
    }

    /** The distance of its first instance's management port from the first management port. */
    int managementPortOffset() {
        return ordinal();
    }

    List<String> jvmOptions() {
        return Stream.concat(JVM_OPTIONS.stream(), ownJvmOptions.stream()).toList();
    }
}
