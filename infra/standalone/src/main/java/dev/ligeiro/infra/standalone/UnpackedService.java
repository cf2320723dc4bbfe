package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.brokers.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/**
 * A service unpacked from its jar, with an archive of the classes that a start loads (AppCDS, from JDK 25 on an AOT cache): a JVM
 * with both starts for half the CPU. Made once for each build and each JDK; where that fails, the jar is run as it is.
 */
final class UnpackedService {

    private static final long TRAINING_SECONDS_MAX = 120;
    private static final int AOT_CACHE_SINCE = 25;
    /** Training must not touch brokers that happen to run on their usual ports: on these nobody listens. */
    private static final Map<String, String> NOWHERE = Map.of(
            "SERVER_PORT", "0",
            "MANAGEMENT_SERVER_PORT", "0",
            "SPRING_MONGODB_URI", "mongodb://127.0.0.1:1/ligeiro",
            "SPRING_KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1");

    private final ServiceKind kind;
    private final Path jar;
    private final Path folder;
    private final Path archive;

    UnpackedService(ServiceKind kind, Path jar) {
        this.kind = kind;
        this.jar = jar;
        this.folder = jar.resolveSibling("unpacked").resolve(checksum(jar));
        this.archive = folder.resolve("jdk-" + Runtime.version() + (hasAotCache() ? ".aot" : ".jsa"));
    }

    ServiceKind kind() {
        return kind;
    }

    /** What starts the service. */
    List<String> command() {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(kind.jvmOptions());
        if (isUnprepared()) {
            command.addAll(List.of("-jar", jar.toString()));
        } else {
            command.add((hasAotCache() ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + archive);
            command.addAll(List.of("-jar", unpackedJar().toString()));
        }
        return command;
    }

    /** Whether there is something for {@link #prepare} to do. */
    boolean isUnprepared() {
        return !Files.exists(archive);
    }

    /** Unpacks the jar and starts it once, without brokers, up to the point where it would serve. */
    void prepare(Path log) {
        run(
                log,
                List.of(
                        "-Djarmode=tools",
                        "-jar",
                        jar.toString(),
                        "extract",
                        "--force",
                        "--destination",
                        folder.toString()));
        // under a name of its own: another launcher must not find half of it
        Path trained = archive.resolveSibling(
                archive.getFileName() + "." + ProcessHandle.current().pid());
        List<String> training = new ArrayList<>(kind.jvmOptions());
        training.add((hasAotCache() ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + trained);
        training.addAll(
                List.of("-Dspring.context.exit=onRefresh", "-jar", unpackedJar().toString()));
        if (run(log, training) && Files.exists(trained)) {
            moveToArchive(trained);
        }
    }

    private void moveToArchive(Path trained) {
        try {
            Files.move(trained, archive, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException unwritable) {
            throw new CannotStartException(archive + " cannot be written", unwritable);
        }
    }

    /** Whether it ended by itself. */
    private boolean run(Path log, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(arguments);
        ChildProcess child = ChildProcess.spawn(kind.module() + "-training", command, NOWHERE, log);
        try {
            child.onExit().get(TRAINING_SECONDS_MAX, TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            child.kill();
        } catch (ExecutionException | TimeoutException e) {
            child.kill();
        }
        return false;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private Path unpackedJar() {
        return folder.resolve(jar.getFileName());
    }

    /** Of the content: builds are reproducible, every jar has the same time. */
    private static String checksum(Path jar) {
        try (CheckedInputStream content = new CheckedInputStream(Files.newInputStream(jar), new CRC32())) {
            content.transferTo(OutputStream.nullOutputStream());
            return Long.toHexString(content.getChecksum().getValue());
        } catch (IOException unreadable) {
            throw new CannotStartException(jar + " cannot be read", unreadable);
        }
    }

    private static boolean hasAotCache() {
        return Runtime.version().feature() >= AOT_CACHE_SINCE;
    }
}
