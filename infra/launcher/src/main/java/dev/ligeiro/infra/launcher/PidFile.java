package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.launcher.Home.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The file with the pids of the processes, in which the next launcher finds those that a killed launcher left running. */
final class PidFile {

    /** A process's start time is counted from the boot time, which shifts when the clock is corrected. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);

    private static final Duration ORPHAN_GRACE = Duration.ofSeconds(40);

    private final Path file;
    private final Map<String, ProcessHandle> children = new LinkedHashMap<>();

    PidFile(Path file) {
        this.file = file;
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

    /** Stops the services, then the brokers, that a killed launcher left running. Returns when all have exited, see {@link #stop}. */
    static void stopOrphans(Path file) {
        stopOrphans(file, ORPHAN_GRACE);
    }

    static void stopOrphans(Path file, Duration grace) {
        Map<String, ProcessHandle> orphans = orphans(file);
        orphans.forEach((name, process) -> Console.printEvent(
                "%s (pid %d) was left running by a killed launcher and is stopped".formatted(name, process.pid())));
        Map<Boolean, List<ProcessHandle>> byBroker = orphans.entrySet().stream()
                .collect(Collectors.partitioningBy(
                        orphan -> orphan.getKey().matches("bank|(mongod|kafka)(-\\d+)?"),
                        Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
        stop(byBroker.getOrDefault(false, List.of()), grace);
        stop(byBroker.getOrDefault(true, List.of()), grace);
    }

    /** By name. */
    static Map<String, ProcessHandle> orphans(Path file) {
        Map<String, ProcessHandle> orphans = new LinkedHashMap<>();
        try (Stream<String> lines = Files.exists(file) ? Files.lines(file) : Stream.empty()) {
            lines.map(line -> line.split(" ")).forEach(parts -> {
                Instant startedAt = Instant.ofEpochMilli(Long.parseLong(parts[2]));
                ProcessHandle.of(Long.parseLong(parts[1]))
                        .filter(process -> process.isAlive() && isSame(process, startedAt))
                        .ifPresent(process -> orphans.put(parts[0], process));
            });
        } catch (IOException e) {
            throw new CannotStartException(file + " cannot be read: " + e, e);
        }
        return orphans;
    }

    /** A later process may have the same pid. */
    private static boolean isSame(ProcessHandle process, Instant startedAt) {
        return process.info()
                .startInstant()
                .filter(at -> Duration.between(at, startedAt).abs().compareTo(CLOCK_TOLERANCE) <= 0)
                .isPresent();
    }

    /** All at the same time, and kills those that have not exited after their grace. */
    private static void stop(List<ProcessHandle> processes, Duration grace) {
        processes.forEach(ProcessHandle::destroy);
        if (!haveExited(processes, grace)) {
            processes.forEach(ProcessHandle::destroyForcibly);
            haveExited(processes, grace);
        }
    }

    private static boolean haveExited(List<ProcessHandle> processes, Duration limit) {
        CompletableFuture<?>[] exits =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(exits).get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
