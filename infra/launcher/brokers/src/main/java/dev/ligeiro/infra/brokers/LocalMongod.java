package dev.ligeiro.infra.brokers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One mongod on the loopback address, a member of a replica set. Its data in {@code home} survives a stop and a kill.
 *
 * @param binary the mongod program
 * @param home the folder of its data and log
 * @param port of the clients
 * @param members the ports of all members of the replica set, always in the same order
 * @param cacheGigabytes WiredTiger's cache: inserts cost several times as much when the indexes are larger
 * @param options of mongod's command line, added to its own; it must still take connections without TLS
 */
public record LocalMongod(
        Path binary, Path home, int port, List<Integer> members, double cacheGigabytes, List<String> options)
        implements LocalProcess {

    private static final int OPLOG_MEGABYTES = 1024;

    /** Of collections and indexes. With the default, up to 10 MB, inserts wait 20 ms while their page is written. */
    private static final String PAGES = "memory_page_max=256KB";

    /**
     * With one thread, eviction uses at most one core. When the dirty part of the cache reaches these percentages, pages are written
     * before the checkpoint: with the default of 5 a small cache writes the same index pages many times.
     */
    private static final String EVICTION = "eviction=(threads_min=1,threads_max=1)"
            + ",eviction_dirty_target=20,eviction_dirty_trigger=40,eviction_updates_target=20,eviction_updates_trigger=40";

    /** Keeps no old versions for reads at an earlier time; the default is five minutes. */
    private static final String NO_HISTORY = "minSnapshotHistoryWindowInSeconds=0";

    /** A member that is told to stop refuses new work for 15 s by default, which the launcher does not wait for. */
    private static final String QUICK_STOP = "shutdownTimeoutMillisForSignaledShutdown=1000";

    /**
     * mongod runs in its own process group, which Ctrl-C does not reach. Unlike a JVM it handles SIGINT even when it was started
     * with SIGINT ignored: it would exit before the services that use it. Without Perl it stays in the launcher's group.
     */
    private static final List<String> IN_ITS_OWN_GROUP = List.of(
            "/bin/sh",
            "-c",
            "command -v perl >/dev/null && exec perl -e 'setpgrp; exec @ARGV' \"$@\"; exec \"$@\"",
            "mongod");

    /** The only member of its replica set. */
    public LocalMongod(Path binary, Path home, int port, double cacheGigabytes) {
        this(binary, home, port, cacheGigabytes, List.of());
    }

    /** The only member of its replica set. */
    public LocalMongod(Path binary, Path home, int port, double cacheGigabytes, List<String> options) {
        this(binary, home, port, List.of(port), cacheGigabytes, options);
    }

    @Override
    public String name() {
        return Ports.nameOfMember("mongod", port, members);
    }

    /** The name of the replica set in it makes a driver wait for the primary after a restart. */
    public String uri(String database) {
        return "mongodb://%s/%s?replicaSet=%s".formatted(Ports.addresses(members), database, ReplicaSet.NAME);
    }

    @Override
    public ChildProcess spawn() {
        Ports.requireFree(name(), port);
        return ChildProcess.spawn(name(), command(createData()), Map.of(), home.resolve("mongod.log"));
    }

    /** Whether its replica set has a primary, which may be itself. The first member initiates the replica set if there is none. */
    @Override
    public boolean ready() {
        return Ports.answers(port) && ReplicaSet.hasPrimary(port, members);
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
                // without zlib: the mongod that is fetched, 6.0.5, has CVE-2025-14847 in it
                "--networkMessageCompressors",
                "snappy,zstd",
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
        if (members.size() > 1) {
            command.addAll(List.of("--setParameter", QUICK_STOP));
        }
        command.addAll(options);
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
