package dev.ligeiro.infra.standalone.service;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.ClassArchive;
import dev.ligeiro.infra.brokers.DeepDelete;
import dev.ligeiro.infra.standalone.terminal.CannotStartException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipFile;

/**
 * A service's program: its executable jar, extracted once a build into plain jars, since a {@link ClassArchive} needs a class path
 * of plain jars. A rebuild does not change the jars of running services: each build has a folder of its own.
 */
public final class ServiceProgram {

    private static final Duration EXTRACTED_WITHIN = Duration.ofMinutes(1);

    private final ServiceKind kind;
    private final Path executableJar;
    private final Path folder;
    private final ClassArchive archive;

    /** @param root the checkout */
    public ServiceProgram(ServiceKind kind, Path root) {
        this.kind = kind;
        this.executableJar = ServiceJars.of(kind, root);
        this.folder = executableJar.resolveSibling("extracted").resolve(checksum(executableJar));
        this.archive = new ClassArchive(folder, kind.module());
    }

    /** Starts an instance. Extracts the jar first when that was not done yet. */
    ChildProcess spawn(String name, Map<String, String> settings, Path log) {
        if (!Files.exists(plainJar(folder))) {
            extract(log);
        }
        List<String> command = command(name);
        ChildProcess started = ChildProcess.spawn(
                name, kind.answersCallers() ? command : ChildProcess.inTheBackground(command), settings, log);
        archive.keepFrom(started);
        return started;
    }

    private List<String> command(String name) {
        List<String> command = new ArrayList<>(List.of(javaBinary()));
        command.addAll(kind.jvmOptions());
        command.add(archive.option(name));
        command.addAll(List.of("-jar", plainJar(folder).toString()));
        return command;
    }

    /** Into a folder of this launcher, renamed when it is whole: two launchers may do this at the same time. */
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
            // the next `mvn clean` deletes it
        }
    }

    private Path plainJar(Path extracted) {
        return extracted.resolve(executableJar.getFileName());
    }

    private static String javaBinary() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Of the entries' names and checksums, which the jar lists: the jar's own time is the same for all builds. */
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
