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
 */
public record LocalKafka(Path jars, Path home, int port, List<Integer> members, Map<String, String> overrides)
        implements LocalProcess {

    private static final int C2_FACTOR = 10;
    private static final Duration FORMAT_WITHIN = Duration.ofMinutes(1);

    /** The only node of its cluster. */
    public LocalKafka(Path jars, Path home, int port, Map<String, String> overrides) {
        this(jars, home, port, List.of(port), overrides);
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
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(KafkaSettings.JVM_OPTIONS);
        command.addAll(LateC2.options(C2_FACTOR));
        archive.ifPresent(command::add);
        command.addAll(List.of("-cp", jars + "/*", mainClass));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    /** The archive of this class path, which the names of the jars identify: they contain the versions. */
    private ClassArchive classArchive() {
        try (Stream<Path> files = Files.list(jars)) {
            String names =
                    files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.joining(" "));
            return new ClassArchive(jars.resolveSibling("archives"), Integer.toHexString(names.hashCode()));
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
}
