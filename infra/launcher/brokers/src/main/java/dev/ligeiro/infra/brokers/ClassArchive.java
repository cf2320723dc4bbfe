package dev.ligeiro.infra.brokers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The classes of a Java program in one file (AppCDS). A JVM that starts with the file needs about half the CPU for its start. A run without
 * the file writes it at its regular end, and later runs use it.
 *
 * <p>From JDK 25 on, a run can {@link #recordOptions record} its classes and what its compilers have learned; the JVM that {@link #createFrom}
 * starts makes an ahead-of-time cache of that (JEP 514, 515), which later runs prefer to the archive.
 *
 * <p>The file is always complete: a run writes to a draft, which is renamed after the end of its JVM. A JVM ignores the archive of
 * another class path or another JDK, so the file's name contains the build and a checksum of the JDK and the folder's path: a copied
 * or moved checkout writes archives of its own.
 */
public final class ClassArchive {

    /** After SIGTERM, and at the end of the program. After other exit codes the draft may be incomplete. */
    private static final Set<Integer> REGULAR_EXIT_CODES = Set.of(143, 0);

    /** The number is the pid of the launcher. */
    private static final Pattern DRAFT = Pattern.compile(".*\\.(\\d+)\\.draft");

    private static final Duration CREATED_WITHIN = Duration.ofMinutes(5);

    private final Path file;

    /**
     * @param folder whose jars, or whose neighbours' jars, the class path names
     * @param build distinguishes the program's class path from others in the folder
     * @param javaHome of the JVM that runs the program
     */
    public ClassArchive(Path folder, String build, Path javaHome) {
        file = folder.resolve("%s-%08x.jsa".formatted(build, checksum(folder, javaHome)));
    }

    public boolean exists() {
        return Files.exists(file);
    }

    /** The option for a JVM that only reads the cache, or else the archive; empty when there is neither. */
    public Optional<String> readOption() {
        if (Files.exists(cache())) {
            return Optional.of("-XX:AOTCache=" + cache());
        }
        return exists() ? Optional.of("-XX:SharedArchiveFile=" + file) : Optional.empty();
    }

    /** The options for a JVM that records for a cache. It must exit regularly. */
    public List<String> recordOptions() {
        prepareFolder();
        return List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + recording());
    }

    /**
     * Makes the cache from the recording.
     *
     * @param java the command that recorded, without its options for recording
     * @return the size of the cache in bytes
     * @throws IllegalStateException if there is no recording, or the JVM fails
     */
    public long createFrom(String name, List<String> java, Path log) {
        Path draft = draft(name);
        List<String> command = new ArrayList<>(java);
        command.addAll(
                1, List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + recording(), "-XX:AOTCache=" + draft));
        ChildProcess creation = ChildProcess.spawn(name, command, Map.of(), log);
        boolean ended = creation.endsWithin(CREATED_WITHIN);
        if (!ended) {
            creation.kill();
        }
        try {
            Files.deleteIfExists(recording());
            if (!ended || creation.onExit().join().exitValue() != 0 || !Files.exists(draft)) {
                Files.deleteIfExists(draft);
                throw new IllegalStateException(creation.failureSummary());
            }
            Files.move(draft, cache(), StandardCopyOption.ATOMIC_MOVE);
            return Files.size(cache());
        } catch (IOException e) {
            throw new UncheckedIOException("the cache of %s cannot be stored".formatted(name), e);
        }
    }

    private Path cache() {
        return file.resolveSibling(file.getFileName().toString().replace(".jsa", ".aot"));
    }

    private Path recording() {
        return file.resolveSibling(file.getFileName().toString().replace(".jsa", ".aotconf"));
    }

    /**
     * The option for a JVM that reads the archive or, when there is none, writes it. Call {@link #keepFrom} after the start.
     *
     * @param name of the process, which no other child process of this JVM has
     */
    public String option(String name) {
        return readOption().orElseGet(() -> {
            prepareFolder();
            return "-XX:ArchiveClassesAtExit=" + draft(name);
        });
    }

    /** Renames the draft of this process to the archive after a regular exit of the process, and deletes it after any other exit. */
    public void keepFrom(ChildProcess process) {
        Path draft = draft(process.name());
        process.whenEnded(exitCode -> {
            try {
                if (REGULAR_EXIT_CODES.contains(exitCode) && Files.exists(draft)) {
                    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
                }
                Files.deleteIfExists(draft);
            } catch (IOException e) {
                // the next run writes the archive again
            }
        });
    }

    private Path draft(String name) {
        return file.resolveSibling("%s.%s.%d.draft"
                .formatted(file.getFileName(), name, ProcessHandle.current().pid()));
    }

    /** Creates the folder and deletes the drafts of killed launchers. */
    private void prepareFolder() {
        try {
            Files.createDirectories(file.getParent());
            try (Stream<Path> files = Files.list(file.getParent())) {
                for (Path draft : files.filter(ClassArchive::isOfKilledLauncher).toList()) {
                    Files.deleteIfExists(draft);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // the program runs, and its log says that the JVM cannot write the draft
        }
    }

    private static boolean isOfKilledLauncher(Path path) {
        Matcher draft = DRAFT.matcher(path.getFileName().toString());
        return draft.matches()
                && ProcessHandle.of(Long.parseLong(draft.group(1))).isEmpty();
    }

    /** Of the paths of the JDK and the folder, and of the JDK's date: two JDKs may have the same version. */
    private static int checksum(Path folder, Path javaHome) {
        Path modules = javaHome.resolve("lib").resolve("modules");
        return Objects.hash(modules, modules.toFile().lastModified(), folder.toAbsolutePath());
    }
}
