package dev.ligeiro.infra.standalone.service;

import dev.ligeiro.infra.standalone.options.Options;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** The three services, in the order of their management ports. */
public enum ServiceKind {
    GATEWAY("gateway", Options::gateways, List.of("-Xmx160m")),
    PROCESSOR("processor", Options::processors, batches("-Xmx96m")),
    WEBHOOK_DISPATCHER("webhook-dispatcher", Options::webhookDispatchers, batches("-Xmx128m"));

    /** For a small machine: little memory, and an exit when it runs out. */
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
     * For a service that works in batches: most of its methods run once a batch and reach C2's usual thresholds over many minutes,
     * in which C2 would use CPU. With these thresholds they stay with C1; methods that run per record reach C2 within 30 s.
     */
    private static List<String> batches(String heap) {
        return List.of(
                heap,
                "-XX:Tier4InvocationThreshold=50000",
                "-XX:Tier4MinInvocationThreshold=6000",
                "-XX:Tier4CompileThreshold=150000");
    }

    /** Whether callers wait for it: it gets CPU priority over the other two. */
    boolean answersCallers() {
        return this == GATEWAY;
    }

    /** The folder of its module, which is also its name. */
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
