package dev.ligeiro.infra.brokers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One mongod, a replica set of its own, on the loopback address; its data lies in {@code home} and survives every kind
 * of end.
 *
 * @param binary the mongod program
 * @param home its data and log
 * @param port where clients connect
 * @param cacheGigabytes WiredTiger's cache: indexes larger than it make inserts several times as expensive
 */
public record LocalMongod(Path binary, Path home, int port, double cacheGigabytes) implements LocalProcess {

    private static final double DEFAULT_CACHE_GIGABYTES = 1;
    private static final int OPLOG_MEGABYTES = 1024;
    /** For collections and indexes. While a page of the default size (up to 10 MB) is written, inserts into it wait for 20 ms. */
    private static final String PAGES = "memory_page_max=256KB";

    /**
     * One thread, so that eviction takes one core at most. The percentages are the part of the cache that may be dirty before pages
     * are written between checkpoints: with the default of 5 a small cache writes the same index pages again and again.
     */
    private static final String EVICTION = "eviction=(threads_min=1,threads_max=1)"
            + ",eviction_dirty_target=20,eviction_dirty_trigger=40,eviction_updates_target=20,eviction_updates_trigger=40";

    /** No snapshot of the past is read here; by default five minutes of old versions are kept. */
    private static final String NO_HISTORY = "minSnapshotHistoryWindowInSeconds=0";

    /**
     * Unlike a JVM, mongod handles SIGINT even when it was started with SIGINT ignored, and would end before the services that use
     * it. Ctrl-C does not reach a process group of its own (in the same session). Without Perl it stays in the launcher's group.
     */
    private static final List<String> IN_ITS_OWN_GROUP = List.of(
            "/bin/sh",
            "-c",
            "command -v perl >/dev/null && exec perl -e 'setpgrp; exec @ARGV' \"$@\"; exec \"$@\"",
            "mongod");

    public LocalMongod(Path binary, Path home, int port) {
        this(binary, home, port, DEFAULT_CACHE_GIGABYTES);
    }

    @Override
    public String name() {
        return "mongod";
    }

    /** With the name of the replica set, so that a driver waits for the primary after a restart. */
    public String uri(String database) {
        return "mongodb://127.0.0.1:%d/%s?replicaSet=%s".formatted(port, database, ReplicaSet.NAME);
    }

    @Override
    public ChildProcess spawn() {
        Ports.requireFree(name(), port);
        return ChildProcess.spawn(name(), command(createData()), Map.of(), home.resolve("mongod.log"));
    }

    /** Whether it is a primary. Initiates the replica set of a new one. */
    @Override
    public boolean ready() {
        return Ports.answers(port) && ReplicaSet.primaryAt("127.0.0.1:" + port);
    }

    private List<String> command(Path data) {
        List<String> command = new ArrayList<>(IN_ITS_OWN_GROUP);
        command.addAll(List.of(
                binary.toString(),
                "--dbpath",
                data.toString(),
                "--port",
                Integer.toString(port),
                "--bind_ip",
                "127.0.0.1",
                "--nounixsocket",
                "--replSet",
                ReplicaSet.NAME,
                "--oplogSize",
                Integer.toString(OPLOG_MEGABYTES),
                "--wiredTigerCacheSizeGB",
                Double.toString(cacheGigabytes),
                "--wiredTigerEngineConfigString",
                EVICTION,
                "--wiredTigerCollectionConfigString",
                PAGES,
                "--wiredTigerIndexConfigString",
                PAGES,
                "--quiet",
                "--setParameter",
                "diagnosticDataCollectionEnabled=false",
                "--setParameter",
                NO_HISTORY));
        return command;
    }

    private Path createData() {
        try {
            return Files.createDirectories(home.resolve("data"));
        } catch (IOException e) {
            throw new UncheckedIOException("mongod: cannot write to " + home, e);
        }
    }
}
