package dev.ligeiro.testing.brokers;

import dev.ligeiro.infra.brokers.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The Maven process that started this test JVM (this JVM itself if an IDE started it), and the temporary folder of the build. The
 * test JVMs of one Maven process run one after the other. They share the brokers, whose ports and pids are in the folder.
 *
 * <p>A watcher, a shell process, kills the brokers and deletes the folder within about two seconds after the end of the Maven
 * process, also after Ctrl-C and SIGKILL.
 */
final class Build {

    private static final String MAVEN_MAIN_CLASS = "org.codehaus.plexus.classworlds.launcher.Launcher";

    /** {@code kill -0} succeeds for a zombie too, so the state is checked. */
    private static final String WATCHER =
            """
            while kill -0 "$1" 2>/dev/null && ! grep -qs '^State:[[:space:]]*Z' "/proc/$1/status"; do sleep 1; done
            for file in "$2"/*.pid; do kill -9 "$(cat "$file")"; done
            sleep 1
            rm -rf "$2"
            """;

    private final ProcessHandle process;
    private final Path folder;

    /** In its own session the watcher gets no signal that is sent to Maven's process group, such as Ctrl-C. */
    private static final String IN_ITS_OWN_SESSION = "command -v setsid >/dev/null && exec setsid \"$@\"; exec \"$@\"";

    private Build(ProcessHandle process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    /** The build to which this test JVM belongs. */
    static Build current() {
        return of(maven().orElseGet(ProcessHandle::current));
    }

    /** Finds the folder of {@code process}, or creates it and starts the watcher. */
    static Build of(ProcessHandle process) {
        long startMillis =
                process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        Path folder = Path.of(
                System.getProperty("java.io.tmpdir"), "ligeiro-tests-%d-%d".formatted(process.pid(), startMillis));
        Build build = new Build(process, folder);
        build.locked(build::watch);
        return build;
    }

    private static Optional<ProcessHandle> maven() {
        return Stream.iterate(
                        ProcessHandle.current().parent(),
                        Optional::isPresent,
                        ancestor -> ancestor.flatMap(ProcessHandle::parent))
                .flatMap(Optional::stream)
                .filter(Build::isMaven)
                .findFirst();
    }

    private static boolean isMaven(ProcessHandle ancestor) {
        return ancestor.info().commandLine().orElse("").contains(MAVEN_MAIN_CLASS);
    }

    private void watch() {
        if (!Files.exists(file("watcher.log"))) {
            List<String> command = List.of(
                    "/bin/sh",
                    "-c",
                    IN_ITS_OWN_SESSION,
                    "session",
                    "/bin/sh",
                    "-c",
                    WATCHER,
                    "watcher",
                    Long.toString(process.pid()),
                    folder.toString());
            ChildProcess.spawn("watcher", command, Map.of(), file("watcher.log"));
        }
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    /** Runs {@code action} under a lock that all test JVMs of this build share. */
    void locked(Runnable action) {
        synchronized (Build.class) {
            lockedAgainstOtherJvms(action);
        }
    }

    private void lockedAgainstOtherJvms(Runnable action) {
        try {
            Files.createDirectories(folder);
            try (FileChannel file =
                    FileChannel.open(file("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                file.lock(); // closing the channel releases it
                action.run();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(folder + " cannot be used", e);
        }
    }
}
