package dev.ligeiro.infra.loadtest.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The machine and the versions of a run.
 *
 * @param jdk of the gateway's process
 * @param kafka of the broker that {@code infra/run} starts
 * @param commit of the checkout, abbreviated; with {@code -dirty} when tracked files differed from it
 * @param fdatasyncP50Millis of 4 KiB in the data folder without other load: no journaled write can be faster
 */
public record Environment(
        int cores,
        String processorModel,
        long memoryMegabytes,
        String kernel,
        String jdk,
        String kafka,
        String mongod,
        String commit,
        String fileSystem,
        double fdatasyncP50Millis,
        double fdatasyncP99Millis) {

    private static final Pattern BROKER_JAR = Pattern.compile("kafka_2\\.13-([0-9.]+)\\.jar");
    private static final String UNKNOWN = "unknown";
    private static final int PROBE_BYTES = 4096;
    private static final int PROBES_MAX = 1_000;
    private static final long PROBE_NANOS_MAX = TimeUnit.SECONDS.toNanos(3);

    /**
     * Probes the disk for at most 3 s.
     *
     * @param root of the checkout
     * @param home the folder of the running system
     * @param mongod its version
     */
    public static Environment of(Processes processes, Path root, Path home, String mongod) {
        List<Long> gateways = processes.pids().getOrDefault(Role.GATEWAY, List.of());
        try {
            Histogram sync = syncMicros(home.resolve("fsync-probe"));
            return new Environment(
                    Runtime.getRuntime().availableProcessors(),
                    value(Processes.read("cpuinfo"), "model name\t: "),
                    Processes.kilobytes(Processes.read("meminfo"), "MemTotal:") / 1024,
                    System.getProperty("os.version"),
                    gateways.isEmpty() ? UNKNOWN : jdk(gateways.get(0)),
                    kafka(root),
                    mongod,
                    commit(root),
                    Files.getFileStore(home).type(),
                    sync.getValueAtPercentile(50) / 1000.0,
                    sync.getValueAtPercentile(99) / 1000.0);
        } catch (IOException e) {
            throw new UncheckedIOException("the machine cannot be described", e);
        }
    }

    /** The version of the broker, whose jars the build has collected. */
    private static String kafka(Path root) throws IOException {
        try (Stream<Path> jars = Files.list(root.resolve("infra/launcher/brokers/kafka/target/jars"))) {
            return jars.map(jar -> BROKER_JAR.matcher(jar.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(jar -> jar.group(1))
                    .findFirst()
                    .orElse(UNKNOWN);
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

    /** From the {@code release} file of the JDK that the process runs. */
    private static String jdk(long pid) {
        try {
            Path java = Path.of("/proc", Long.toString(pid), "exe").toRealPath();
            String release = Files.readString(java.resolveSibling("../release").normalize());
            return value(release, "IMPLEMENTOR=") + " " + value(release, "JAVA_RUNTIME_VERSION=");
        } catch (IOException noReleaseFile) {
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

    private static String commit(Path root) {
        ProcessBuilder git = new ProcessBuilder(
                "git", "-C", root.toString(), "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*");
        try {
            Process process = git.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String commit = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return commit.isEmpty() ? UNKNOWN : commit;
        } catch (IOException noGit) {
            return UNKNOWN;
        }
    }
}
