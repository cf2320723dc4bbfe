package dev.ligeiro.infra.loadtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The machine and the versions of a run. */
final class Environment {

    private static final String UNKNOWN = "unknown";
    private static final int PROBE_BYTES = 4096;
    private static final int PROBES_MAX = 1_000;
    private static final long PROBE_NANOS_MAX = TimeUnit.SECONDS.toNanos(3);

    private Environment() {}

    /**
     * {@code infra/loadtest/run} says what the machine is. Probes the disk for at most 3 s: no journaled write can be faster than
     * {@code fdatasync} of 4 KiB without other load.
     */
    static String describe(LoadTestContext context) {
        Path home = context.system().home();
        try {
            Histogram sync = syncMicros(home.resolve("fsync-probe"));
            return String.format(
                    Locale.ROOT,
                    "%s; JDK %s, mongod %s; fdatasync p50 %.2f ms, p99 %.2f ms on %s",
                    System.getProperty("ligeiro.machine", UNKNOWN),
                    jdk(context.processes().pids().getOrDefault(Role.GATEWAY, List.of())),
                    context.stored().version(),
                    sync.getValueAtPercentile(50) / 1000.0,
                    sync.getValueAtPercentile(99) / 1000.0,
                    Files.getFileStore(home).type());
        } catch (IOException e) {
            throw new UncheckedIOException("the machine cannot be described", e);
        }
    }

    private static Histogram syncMicros(Path file) throws IOException {
        Histogram micros = new Histogram(3);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            long startedAt = System.nanoTime();
            while (micros.getTotalCount() < PROBES_MAX && System.nanoTime() - startedAt < PROBE_NANOS_MAX) {
                long before = System.nanoTime();
                channel.write(ByteBuffer.allocate(PROBE_BYTES));
                channel.force(false);
                micros.recordValue((System.nanoTime() - before) / 1000);
            }
        }
        return micros;
    }

    /** From the {@code release} file of the JDK that the first process runs. */
    private static String jdk(List<Long> pids) {
        try {
            Path java = Path.of("/proc", pids.get(0).toString(), "exe").toRealPath();
            String release = Files.readString(java.resolveSibling("../release").normalize());
            return value(release, "IMPLEMENTOR=") + " " + value(release, "JAVA_RUNTIME_VERSION=");
        } catch (IOException | IndexOutOfBoundsException noReleaseFile) {
            return UNKNOWN;
        }
    }

    private static String value(String text, String label) {
        return text.lines()
                .filter(line -> line.startsWith(label))
                .map(line -> line.substring(label.length()).replace("\"", ""))
                .findFirst()
                .orElse(UNKNOWN);
    }
}
