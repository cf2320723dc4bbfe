package dev.ligeiro.infra.brokers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The classes that a Java program loads, in one file (AppCDS; from JDK 25 on an AOT cache): a JVM that starts with it needs about
 * half the CPU. A run without the file writes it when it ends in good order; later runs start with it.
 *
 * <p>A JVM never reads a part of an archive: the run writes to a draft, which takes the archive's name after the JVM's end. The archive
 * is for one class path and one JDK, so its name has to tell builds apart; the version of the JDK is added here.
 */
public final class ClassArchive {

    private static final int AOT_CACHE_SINCE = 25;

    /** A JVM that was asked to end (SIGTERM), or whose program ended by itself. Other exit codes may leave a part of a draft. */
    private static final Set<Integer> EXIT_CODES_IN_GOOD_ORDER = Set.of(143, 0);

    /** With the pid of the launcher. A JVM that writes an AOT cache has a second file, which it deletes. */
    private static final Pattern DRAFT = Pattern.compile(".*\\.(\\d+)\\.draft(\\.config)?");

    private final Path file;

    /** @param build distinguishes this program's class path from others in the folder */
    public ClassArchive(Path folder, String build) {
        file = folder.resolve("%s-jdk-%s.%s".formatted(build, Runtime.version(), hasAotCache() ? "aot" : "jsa"));
    }

    public boolean exists() {
        return Files.exists(file);
    }

    /** The option for a JVM that only reads the archive; empty while there is none. */
    public Optional<String> readOption() {
        return exists()
                ? Optional.of((hasAotCache() ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + file)
                : Optional.empty();
    }

    /**
     * The option for a JVM that reads the archive, or writes it while there is none; {@link #keepFrom} comes after its start.
     *
     * @param name of the process, distinct among those of this JVM
     */
    public String option(String name) {
        return readOption().orElseGet(() -> {
            prepareFolder();
            return (hasAotCache() ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + draft(name);
        });
    }

    /** Makes the draft of this process the archive once the process has ended in good order, and deletes it otherwise. */
    public void keepFrom(ChildProcess process) {
        Path draft = draft(process.name());
        process.whenEnded(exitCode -> {
            try {
                if (EXIT_CODES_IN_GOOD_ORDER.contains(exitCode) && Files.exists(draft)) {
                    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
                }
                Files.deleteIfExists(draft);
                Files.deleteIfExists(draft.resolveSibling(draft.getFileName() + ".config"));
            } catch (IOException e) {
                // the next run writes the archive
            }
        });
    }

    private Path draft(String name) {
        return file.resolveSibling("%s.%s.%d.draft"
                .formatted(file.getFileName(), name, ProcessHandle.current().pid()));
    }

    /** Deletes the drafts of killed launchers, too. */
    private void prepareFolder() {
        try {
            Files.createDirectories(file.getParent());
            try (Stream<Path> files = Files.list(file.getParent())) {
                for (Path left : files.filter(ClassArchive::isLeftDraft).toList()) {
                    Files.deleteIfExists(left);
                }
            }
        } catch (IOException e) {
            // the JVM cannot write its draft and says so in its log; the program runs
        }
    }

    private static boolean isLeftDraft(Path path) {
        Matcher draft = DRAFT.matcher(path.getFileName().toString());
        return draft.matches()
                && ProcessHandle.of(Long.parseLong(draft.group(1))).isEmpty();
    }

    private static boolean hasAotCache() {
        return Runtime.version().feature() >= AOT_CACHE_SINCE;
    }
}
