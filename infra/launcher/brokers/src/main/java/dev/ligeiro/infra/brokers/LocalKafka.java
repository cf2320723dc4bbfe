package dev.ligeiro.infra.brokers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One Kafka node, broker and KRaft controller in one JVM, on the loopback address. Its data in {@code home} survives a stop and a
 * kill.
 *
 * @param jars the folder with the broker's jars
 * @param home the folder of its settings, data and log
 * @param port of the clients; the controller takes the next one
 * @param members the ports of all nodes of the cluster, always in the same order
 * @param overrides settings by name, which replace those of {@link KafkaSettings}
 * @param compilers the options of its JIT compilers
 */
public record LocalKafka(
        Path jars, Path home, int port, List<Integer> members, Map<String, String> overrides, List<String> compilers)
        implements LocalProcess {

    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));
    private static final Duration FORMAT_WITHIN = Duration.ofMinutes(1);

    /** A node of a cluster that may run for days. */
    public LocalKafka(Path jars, Path home, int port, List<Integer> members, Map<String, String> overrides) {
        this(jars, home, port, members, overrides, LateC2.options(10));
    }

    /** The only node of its cluster, for tests: it runs for minutes, in which the second compiler would not pay. */
    public LocalKafka(Path jars, Path home, int port, Map<String, String> overrides) {
        this(jars, home, port, List.of(port), overrides, List.of("-XX:TieredStopAtLevel=1"));
    }

    @Override
    public String name() {
        return Ports.nameOfMember("kafka", port, members);
    }

    public String bootstrapServers() {
        return Ports.addresses(members);
    }

    boolean isAlone() {
        return members.size() == 1;
    }

    int nodeId() {
        return members.indexOf(port) + 1;
    }

    int controllerPort() {
        return controllerPort(port);
    }

    static int controllerPort(int port) {
        return port + 1;
    }

    @Override
    public ChildProcess spawn() {
        Ports.requireFree(name(), port);
        Ports.requireFree(name() + " (controller)", controllerPort());
        Path settings = writeSettings();
        if (!Files.exists(data().resolve("meta.properties"))) {
            format(settings);
        }
        ClassArchive archive = classArchive();
        ChildProcess kafka = run(ChildProcess.withLowerPriority(
                java(Optional.of(archive.option(name())), "kafka.Kafka", settings.toString())));
        archive.keepFrom(kafka);
        return kafka;
    }

    @Override
    public boolean ready() {
        return Ports.answers(port);
    }

    private Path writeSettings() {
        try {
            Files.createDirectories(home);
            return Files.writeString(home.resolve("server.properties"), KafkaSettings.of(this));
        } catch (IOException e) {
            throw new UncheckedIOException("kafka: cannot write to " + home, e);
        }
    }

    /** Gives a new data folder its cluster id; the broker refuses a folder without one. */
    private void format(Path settings) {
        List<String> arguments =
                new ArrayList<>(List.of("format", "--cluster-id=" + clusterId(), "--config", settings.toString()));
        if (isAlone()) {
            arguments.add("--standalone");
        }
        ChildProcess tool =
                run(java(classArchive().readOption(), "kafka.tools.StorageTool", arguments.toArray(String[]::new)));
        try {
            int exit = tool.onExit()
                    .orTimeout(FORMAT_WITHIN.toSeconds(), TimeUnit.SECONDS)
                    .join()
                    .exitValue();
            if (exit != 0) {
                throw new IllegalStateException("kafka: formatting failed; " + tool.failureSummary());
            }
        } catch (CompletionException e) {
            tool.kill();
            throw new IllegalStateException("kafka: formatting took too long; " + tool.failureSummary(), e);
        }
    }

    private List<String> java(Optional<String> archive, String mainClass, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(JAVA_HOME.resolve("bin").resolve("java").toString());
        command.addAll(KafkaSettings.JVM_OPTIONS);
        command.addAll(compilers);
        archive.ifPresent(command::add);
        command.addAll(List.of("-cp", jars + "/*", mainClass));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    /** Whether a start reads its classes from one file, which an earlier run has written at its regular end. */
    public boolean hasClassArchive() {
        return classArchive().exists();
    }

    /** The archive of this class path, which the names of the jars identify: they contain the versions. */
    private ClassArchive classArchive() {
        try (Stream<Path> files = Files.list(jars)) {
            String names =
                    files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.joining(" "));
            return new ClassArchive(jars.resolveSibling("archives"), Integer.toHexString(names.hashCode()), JAVA_HOME);
        } catch (IOException e) {
            throw new UncheckedIOException("kafka: cannot read " + jars, e);
        }
    }

    private ChildProcess run(List<String> command) {
        return ChildProcess.spawn(name(), command, Map.of(), home.resolve("kafka.log"));
    }

    Path data() {
        return home.resolve("data");
    }

    /** A Kafka UUID, which is 16 bytes in URL-safe base 64. The nodes compute the same one, since their homes have one parent. */
    private String clusterId() {
        UUID id = UUID.nameUUIDFromBytes(
                (home.toAbsolutePath().getParent() + " " + members).getBytes(StandardCharsets.UTF_8));
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * The settings of one Kafka node on a small machine. Settings that are not here have Kafka's defaults. Each node has each partition,
     * and one node may be missing.
     */
    static final class KafkaSettings {

        /** Half a gigabyte of heap suffices for thousands of records a second; Kafka caches its log in the page cache. */
        static final List<String> JVM_OPTIONS = List.of(
                "-Xms128m",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:+UseTransparentHugePages",
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.awt.headless=true",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
                "-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info",
                // what an authorizer refuses
                "-Dorg.slf4j.simpleLogger.log.kafka.authorizer.logger=info");

        private KafkaSettings() {}

        /**
         * The launcher restarts a killed broker at once. Its session expires after 2 s instead of 9 s; until then the controller refuses the
         * restarted broker.
         */
        static String of(LocalKafka kafka) {
            return """
                    process.roles=broker,controller
                    node.id=%3$d
                    listeners=CLIENT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                    advertised.listeners=CLIENT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                    listener.security.protocol.map=CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT
                    inter.broker.listener.name=CLIENT
                    controller.listener.names=CONTROLLER
                    %4$s
                    log.dirs=%5$s

                    broker.heartbeat.interval.ms=500
                    broker.session.timeout.ms=2000

                    auto.create.topics.enable=false
                    default.replication.factor=%6$d
                    min.insync.replicas=%7$d

                    group.initial.rebalance.delay.ms=0

                    offsets.topic.num.partitions=2
                    offsets.topic.replication.factor=%6$d
                    transaction.state.log.num.partitions=1
                    transaction.state.log.replication.factor=%6$d
                    transaction.state.log.min.isr=%7$d
                    share.coordinator.state.topic.num.partitions=1
                    share.coordinator.state.topic.replication.factor=%6$d
                    share.coordinator.state.topic.min.isr=%7$d

                    num.network.threads=2
                    num.io.threads=2
                    background.threads=2
                    num.replica.fetchers=1
                    log.cleaner.threads=1
                    log.cleaner.dedupe.buffer.size=8388608

                    %8$s
                    """
                    .formatted(
                            kafka.port(),
                            kafka.controllerPort(),
                            kafka.nodeId(),
                            quorum(kafka),
                            escaped(kafka.data().toString()),
                            kafka.members().size(),
                            Math.max(1, kafka.members().size() - 1),
                            lines(kafka.overrides()));
        }

        /** A single node keeps the address of its quorum in its data, so its port can change. Several have it in these settings. */
        private static String quorum(LocalKafka kafka) {
            if (kafka.isAlone()) {
                return "controller.quorum.bootstrap.servers=" + Ports.address(kafka.controllerPort());
            }
            List<Integer> members = kafka.members();
            return IntStream.range(0, members.size())
                    .mapToObj(each ->
                            "%d@%s".formatted(each + 1, Ports.address(LocalKafka.controllerPort(members.get(each)))))
                    .collect(Collectors.joining(",", "controller.quorum.voters=", ""));
        }

        /** The last value of a repeated setting counts. */
        private static String lines(Map<String, String> overrides) {
            return overrides.entrySet().stream()
                    .map(setting -> setting.getKey() + "=" + setting.getValue())
                    .collect(Collectors.joining("\n"));
        }

        /** In a properties file a backslash starts an escape sequence. */
        private static String escaped(String value) {
            return value.replace("\\", "\\\\");
        }
    }
}
