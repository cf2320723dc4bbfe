package dev.ligeiro.infra.brokers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * @param port of the clients
 * @param controllerPort of the controller, to which the broker connects
 * @param overrides settings by name, which replace those of {@link KafkaSettings}
 */
public record LocalKafka(Path jars, Path home, int port, int controllerPort, Map<String, String> overrides)
        implements LocalProcess {

    private static final int C2_FACTOR = 10;
    private static final Duration FORMAT_WITHIN = Duration.ofMinutes(1);

    public LocalKafka(Path jars, Path home, int port, int controllerPort) {
        this(jars, home, port, controllerPort, Map.of());
    }

    @Override
    public String name() {
        return "kafka";
    }

    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    @Override
    public ChildProcess spawn() {
        Ports.requireFree(name(), port);
        Ports.requireFree(name() + " (controller)", controllerPort);
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
        ChildProcess tool = run(java(
                classArchive().readOption(),
                "kafka.tools.StorageTool",
                "format",
                "--standalone",
                "--cluster-id=" + newClusterId(),
                "--config",
                settings.toString()));
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

    /** A Kafka UUID: 16 random bytes in URL-safe base 64. */
    private static String newClusterId() {
        byte[] id = new byte[16];
        new SecureRandom().nextBytes(id);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(id);
    }
}
