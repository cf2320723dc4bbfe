package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.ClassArchive;
import dev.ligeiro.infra.brokers.DeepDelete;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipFile;

/**
 * A service's program: the plain jars in its executable jar, since a {@link ClassArchive} needs a class path of plain jars. They are
 * extracted once a build into a folder of that build, so a rebuild does not change the jars of running services.
 */
final class ServiceProgram {

    private static final Duration EXTRACTED_WITHIN = Duration.ofMinutes(1);

    private final ServiceKind kind;
    private final Path executableJar;
    private final Path folder;
    private final Path javaHome;
    private final ClassArchive archive;

    private ServiceProgram(ServiceKind kind, Path executableJar, Path folder, Path javaHome) {
        this.kind = kind;
        this.executableJar = executableJar;
        this.folder = folder;
        this.javaHome = javaHome;
        this.archive = new ClassArchive(folder, kind.module(), javaHome);
    }

    /**
     * The program of the last build, for the JDK of this JVM.
     *
     * @param root the checkout
     */
    static ServiceProgram ofBuild(ServiceKind kind, Path root) {
        Path jar = executableJar(kind, root);
        return new ServiceProgram(
                kind,
                jar,
                jar.resolveSibling("extracted").resolve(checksum(jar)),
                Path.of(System.getProperty("java.home")));
    }

    /**
     * The program of an image, for the JRE of the image: a cache serves only the JVM and the jars, with their sizes and times, that it was
     * made of.
     *
     * @param programs the folder {@code jre} of the images, and of each service a folder of plain jars
     */
    static ServiceProgram ofImages(ServiceKind kind, Path programs) {
        Path folder = programs.resolve(kind.module());
        return new ServiceProgram(kind, folder.resolve("service.jar"), folder, programs.resolve("jre"));
    }

    /** The jar that the build has made. */
    static Path executableJar(ServiceKind kind, Path root) {
        Path target = root.resolve(kind.folder()).resolve("target");
        String name = kind.module() + "-\\d.*(?<!-tests)(?<!-sources)\\.jar";
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.getFileName().toString().matches(name))
                    .findFirst()
                    .orElseThrow(() -> new CannotStartException(
                            "%s has no jar of %s: run `mvn -DskipTests package`".formatted(target, kind.module())));
        } catch (IOException e) {
            throw new CannotStartException(
                    "%s is not built: run `mvn -DskipTests package`".formatted(kind.module()), e);
        }
    }

    /**
     * Starts an instance. Extracts the jar before the first start of a build.
     *
     * @param records whether it records for {@link #train}
     */
    ChildProcess spawn(String name, Map<String, String> settings, Path log, boolean records) {
        if (!Files.exists(plainJar(folder))) {
            extract(log);
        }
        List<String> command = command(records ? archive.recordOptions() : List.of(archive.option(name)));
        ChildProcess started = ChildProcess.spawn(
                name, kind.hasCpuPriority() ? command : ChildProcess.withLowerPriority(command), settings, log);
        archive.keepFrom(started);
        return started;
    }

    /** Makes the ahead-of-time cache from what an instance has recorded; returns its size in bytes. */
    long train(Path log) {
        return archive.createFrom(kind.module() + "-training", command(List.of()), log);
    }

    private List<String> command(List<String> archiveOptions) {
        List<String> command = new ArrayList<>(List.of(javaBinary()));
        command.addAll(kind.jvmOptions());
        command.addAll(archiveOptions);
        command.addAll(List.of("-jar", plainJar(folder).toString()));
        return command;
    }

    /** Extracts into a folder of this launcher and renames it when it is complete: another launcher may do the same at this time. */
    private void extract(Path log) {
        Path draft = folder.resolveSibling(
                folder.getFileName() + "." + ProcessHandle.current().pid());
        List<String> command = List.of(
                javaBinary(),
                "-Djarmode=tools",
                "-jar",
                executableJar.toString(),
                "extract",
                "--force",
                "--destination",
                draft.toString());
        ChildProcess tool = ChildProcess.spawn(kind.module() + "-extraction", command, Map.of(), log);
        if (!tool.endsWithin(EXTRACTED_WITHIN)) {
            tool.kill();
        }
        if (!Files.exists(plainJar(draft))) {
            throw new CannotStartException(tool.failureSummary());
        }
        try {
            Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            discard(draft, e);
        }
    }

    private void discard(Path draft, IOException reason) {
        if (!Files.exists(plainJar(folder))) {
            throw new CannotStartException("%s cannot be moved to %s: %s".formatted(draft, folder, reason), reason);
        }
        try {
            DeepDelete.delete(draft);
        } catch (IOException e) {
            // `mvn clean` deletes it
        }
    }

    private Path plainJar(Path extracted) {
        return extracted.resolve(executableJar.getFileName());
    }

    private String javaBinary() {
        return javaHome.resolve("bin").resolve("java").toString();
    }

    /** Computed from the names and checksums of the jar's entries. The build sets all times in a jar to one date. */
    private static String checksum(Path jar) {
        try (ZipFile entries = new ZipFile(jar.toFile())) {
            CRC32 checksum = new CRC32();
            entries.stream()
                    .map(entry -> entry.getName() + entry.getCrc())
                    .forEach(entry -> checksum.update(entry.getBytes(StandardCharsets.UTF_8)));
            return Long.toHexString(checksum.getValue());
        } catch (IOException e) {
            throw new CannotStartException(jar + " cannot be read: " + e, e);
        }
    }
}
