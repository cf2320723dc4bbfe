package dev.ligeiro.infra.brokers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One mongod, a replica set of its own, on the loopback address; its data lives in {@code home} and survives every kind
 * of end.
 *
 * @param binary the mongod program
 * @param home its data and log
 * @param port where clients connect
 * @param cacheGigabytes WiredTiger's cache: indexes larger than it make inserts several times dearer
 */
public record LocalMongod(Path binary, Path home, int port, double cacheGigabytes) implements LocalProcess {

    private static final double DEFAULT_CACHE_GIGABYTES = 1;
    private static final int OPLOG_MEGABYTES = 1024;

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

    /** Whether it is a primary; a new one is made a replica set on the way. */
    @Override
    public boolean ready() {
        return Ports.answers(port) && ReplicaSet.primaryAt("127.0.0.1:" + port);
    }

    private List<String> command(Path data) {
        return List.of(
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
                "--quiet",
                "--setParameter",
                "diagnosticDataCollectionEnabled=false");
    }

    private Path createData() {
        try {
            return Files.createDirectories(home.resolve("data"));
        } catch (IOException e) {
            throw new UncheckedIOException("mongod: cannot write to " + home, e);
        }
    }
}
