package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.LateC2;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** The services, in the order of their management ports. */
public enum ServiceKind {
    GATEWAY("gateway", options -> options.gateways, List.of("-Xmx288m", "-Xmn53m", "-XX:MaxTenuringThreshold=1"), 6),
    PROCESSOR("processor", options -> options.processors, List.of("-Xmx104m"), 10),
    WEBHOOK_DISPATCHER("webhook-dispatcher", options -> options.webhookDispatchers, List.of("-Xmx128m"), 10),
    /** Only people wait for it: the first compiler is enough. */
    DESK("infra/desk", options -> 1, List.of("-Xmx96m", "-XX:TieredStopAtLevel=1"), 10);

    /**
     * For a small machine: little memory, and an exit of the JVM when its memory runs out. An image's options are among them, because a JVM
     * ignores an ahead-of-time cache that was made with others.
     */
    private static final List<String> JVM_OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:+UseTransparentHugePages",
            "-Xss512k",
            "-XX:MetaspaceSize=96m",
            "-XX:TrimNativeHeapInterval=10000",
            "-XX:+UseCompactObjectHeaders",
            // not every JDK has the last two: 17.0.9, 21.0.1, and 25 (JEP 519)
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.awt.headless=true");

    private final String folder;
    private final ToIntFunction<Options> instances;
    private final List<String> heap;
    private final int c2Factor;

    /**
     * @param heap the gateway's old generation is large, since thousands of half-open connections live long enough to reach it: with 160 MB it
     *     was collected about once in 70 s, for 140 to 220 ms. Its young generation is as large as that of a heap of 160 MB. An object that
     *     survives two young collections moves to the old generation (the default is up to 15): half-open connections survive anyway,
     *     and copying them again made young collections twice as long.
     * @param c2Factor for {@link LateC2}. The gateway's methods run once a request: at 500 requests a second they reach six times the
     *     default within a minute. Most methods of the other services run once a batch: with the default C2 compiles them one by one over
     *     many minutes. With ten times the default they stay compiled by C1, and methods that run once a record are compiled by C2
     *     within 30 s.
     */
    ServiceKind(String folder, ToIntFunction<Options> instances, List<String> heap, int c2Factor) {
        this.folder = folder;
        this.instances = instances;
        this.heap = heap;
        this.c2Factor = c2Factor;
    }

    /** Only the gateway: HTTP callers wait for it. */
    boolean hasCpuPriority() {
        return this == GATEWAY;
    }

    /** The name of its module. */
    public String module() {
        return folder.substring(folder.lastIndexOf('/') + 1);
    }

    /** The folder of its module in the checkout. */
    public String folder() {
        return folder;
    }

    int instances(Options options) {
        return instances.applyAsInt(options);
    }

    /** The port of its first instance's health and metrics. The desk's is that of its operators. */
    int managementPort(Options options) {
        return this == DESK ? options.deskPort() : options.managementPort + ordinal();
    }

    List<String> jvmOptions() {
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        options.addAll(heap);
        options.addAll(LateC2.options(c2Factor));
        return options;
    }
}
