package dev.ligeiro.infra.loadtest.observe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The files of {@code /proc} about processes and threads, as text. */
final class ProcFiles {

    private static final Path PROC = Path.of("/proc");

    private ProcFiles() {}

    /** @throws ProcessGoneException when there is no such process */
    static String read(long pid, String file) {
        return read(PROC.resolve(Long.toString(pid)).resolve(file), pid);
    }

    static String read(String file) {
        return read(PROC.resolve(file), 0);
    }

    /** The {@code stat} of this process's thread of that name. */
    static Optional<String> statOfOwnThread(String name) {
        try (Stream<Path> tasks = Files.list(PROC.resolve("self").resolve("task"))) {
            List<Path> all = tasks.toList();
            return all.stream()
                    .map(task -> read(task.resolve("stat"), 0))
                    .filter(stat -> ProcStat.parse(stat).name().startsWith(name))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file, long pid) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ProcessGoneException(pid, file, e);
        }
    }
}
