package dev.ligeiro.infra.brokers;

import java.util.List;

/**
 * JVM options that let the C2 compiler begin with a method later than by default. With the defaults C2 takes a third of the CPU of a
 * start, for methods that hardly run afterwards.
 */
public final class LateC2 {

    /** Ten times HotSpot's default: a loop that runs so often within one call is compiled by C2 before the call ends. */
    private static final int LOOP_THRESHOLD = 400_000;

    private LateC2() {}

    /** Raises HotSpot's default thresholds of C2 by {@code factor}. Until then a method stays compiled by C1. */
    public static List<String> options(int factor) {
        return List.of(
                "-XX:Tier4InvocationThreshold=" + 5_000 * factor,
                "-XX:Tier4MinInvocationThreshold=" + 600 * factor,
                "-XX:Tier4CompileThreshold=" + 15_000 * factor,
                "-XX:Tier4BackEdgeThreshold=" + LOOP_THRESHOLD);
    }
}
