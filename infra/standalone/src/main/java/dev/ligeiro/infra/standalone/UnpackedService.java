package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.brokers.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/**
 * A service unpacked from its jar, with an archive of the classes that a start and a transaction load (AppCDS, from JDK 25 on an
 * AOT cache): a JVM with both starts for half the CPU. One archive for each build and each JDK, made by a {@link TrainingRun};
 * without one the jar is run as it is.
 */
final class UnpackedService {

    private static final int AOT_CACHE_SINCE = 25;
    private static final Duration UNPACKED_WITHIN = Duration.ofMinutes(1);

    private final ServiceKind kind;
    private final Path jar;
    private final Path folder;
    private final Path archive;

    private UnpackedService(ServiceKind kind, Path jar) {
        this.kind = kind;
        this.jar = jar;
        this.folder = jar.resolveSibling("unpacked").resolve(checksum(jar));
        this.archive = folder.resolve("jdk-" + Runtime.version() + (hasAotCache() ? ".aot" : ".jsa"));
    }

    /** All of them, in the order of their start. */
    static List<UnpackedService> all(Path root) {
        return Arrays.stream(ServiceKind.values())
                .map(kind -> new UnpackedService(kind, ServiceJars.of(kind, root)))
                .toList();
    }

    ServiceKind kind() {
        return kind;
    }

    boolean isTrained() {
        return Files.exists(archive);
    }

    /** What starts the service. */
    List<String> command() {
        return isTrained()
                ? java(unpackedJar(), (hasAotCache() ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + archive)
                : java(jar);
    }

    /** What starts it so that it writes an archive to {@code trained} when it ends; {@link #unpack} comes before. */
    List<String> trainingCommand(Path trained) {
        return java(unpackedJar(), (hasAotCache() ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + trained);
    }

    /** Once a build: running services, of other launchers too, have its jars open. */
    void unpack(Path log) {
        if (Files.exists(unpackedJar())) {
            return;
        }
        Path mine = ownName(folder);
        extract(mine, log);
        try {
            Files.move(mine, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.exists(unpackedJar())) {
                throw new CannotStartException("%s cannot be moved to %s: %s".formatted(mine, folder, e), e);
            }
            Folders.delete(mine); // another launcher was quicker
        }
    }

    private void extract(Path destination, Path log) {
        List<String> command = List.of(
                javaBinary(),
                "-Djarmode=tools",
                "-jar",
                jar.toString(),
                "extract",
                "--force",
                "--destination",
                destination.toString());
        ChildProcess child = ChildProcess.spawn(kind.module() + "-unpacking", command, Map.of(), log);
        if (!child.endsWithin(UNPACKED_WITHIN)) {
            child.kill();
        }
        if (!Files.exists(destination.resolve(jar.getFileName()))) {
            throw new CannotStartException(child.failureSummary());
        }
    }

    /** From now on the service starts with what its training has written. */
    void adopt(Path trained) {
        Path mine = ownName(archive);
        try {
            Files.copy(trained, mine);
            Files.move(mine, archive, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new CannotStartException("%s cannot be copied to %s: %s".formatted(trained, archive, e), e);
        } finally {
            Folders.delete(mine);
        }
    }

    /** Where it is made: another launcher must not find half of it. */
    private static Path ownName(Path path) {
        return path.resolveSibling(
                path.getFileName() + "." + ProcessHandle.current().pid());
    }

    private List<String> java(Path started, String... options) {
        List<String> command = new ArrayList<>(List.of(javaBinary()));
        command.addAll(kind.jvmOptions());
        command.addAll(List.of(options));
        command.addAll(List.of("-jar", started.toString()));
        return command;
    }

    private static String javaBinary() {
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
