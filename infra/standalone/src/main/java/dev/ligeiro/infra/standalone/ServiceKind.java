package dev.ligeiro.infra.standalone;

import java.util.List;
import java.util.stream.Stream;

/** The three services, in the order in which a start wants them: the processor creates the topics. */
enum ServiceKind {
    PROCESSOR("processor", 1, List.of("-Xmx96m", "-XX:Tier4InvocationThreshold=50000", "-XX:Tier4MinInvocationThreshold=6000", "-XX:Tier4CompileThreshold=150000")),
    GATEWAY("gateway", 0, List.of("-Xmx160m")),
    WEBHOOK_DISPATCHER("webhook-dispatcher", 2, List.of("-Xmx128m", "-XX:Tier4InvocationThreshold=50000", "-XX:Tier4MinInvocationThreshold=6000", "-XX:Tier4CompileThreshold=150000"));

    /** What every service JVM is told on a small machine: little memory, and no half-dead life after it ran out. */
    private static final List<String> JVM_OPTIONS =
            List.of("-XX:+UseSerialGC", "-Xss512k", "-XX:+ExitOnOutOfMemoryError", "-Djava.awt.headless=true");

    private final String module;
    private final int managementPortOffset;
    private final List<String> ownJvmOptions;

    ServiceKind(String module, int managementPortOffset, List<String> ownJvmOptions) {
        this.module = module;
        this.managementPortOffset = managementPortOffset;
        this.ownJvmOptions = ownJvmOptions;
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
