package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The file with the pids of the processes, in which the next launcher finds those that a killed launcher left running. */
final class PidFile {

    private final Path file;
    private final Map<String, ProcessHandle> children = new LinkedHashMap<>();

    PidFile(Path file) {
        this.file = file;
    }

    /** The processes that a killed launcher left running. */
    static List<Orphan> orphans(Path file) {
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            return Files.readAllLines(file).stream()
                    .map(PidFile::readLine)
                    .flatMap(orphan -> orphan.stillRunning().stream())
                    .toList();
        } catch (IOException e) {
            throw new CannotStartException(file + " cannot be read: " + e, e);
        }
    }

    synchronized void record(String name, ChildProcess child) {
        children.remove(name);
        children.put(name, child.handle());
        String lines = children.entrySet().stream().map(PidFile::writeLine).collect(Collectors.joining());
        PrivateFile.write(file, lines);
    }

    /** @param name of a service or broker: the pids of {@code name} or of {@code name-1}, {@code name-2} and so on, in order */
    synchronized List<Long> of(String name) {
        return children.entrySet().stream()
                .filter(child -> child.getKey().matches(name + "(-\\d+)?"))
                .sorted(Map.Entry.comparingByKey(
                        Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder())))
                .map(child -> child.getValue().pid())
                .toList();
    }

    private static String writeLine(Map.Entry<String, ProcessHandle> child) {
        Instant startedAt = child.getValue().info().startInstant().orElse(Instant.EPOCH);
        return "%s %d %d%n".formatted(child.getKey(), child.getValue().pid(), startedAt.toEpochMilli());
    }

    private static Orphan readLine(String line) {
        String[] parts = line.split(" ");
        return new Orphan(parts[0], Long.parseLong(parts[1]), Instant.ofEpochMilli(Long.parseLong(parts[2])));
    }
}
