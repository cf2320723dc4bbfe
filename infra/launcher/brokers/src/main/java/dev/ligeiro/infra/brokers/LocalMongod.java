package dev.ligeiro.infra.brokers;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One mongod on the loopback address, a member of a replica set. Its data in {@code home} survives a stop and a kill.
 *
 * @param binary the mongod program
 * @param home the folder of its data and log
 * @param port of the clients
 * @param members the ports of all members of the replica set, always in the same order
 * @param cacheGigabytes WiredTiger's cache: inserts cost several times as much when the indexes are larger
 * @param options of mongod's command line, added to its own; without {@code security} it must still take connections without TLS
 * @param security null for a mongod without TLS and passwords
 */
public record LocalMongod(
        Path binary,
        Path home,
        int port,
        List<Integer> members,
        double cacheGigabytes,
        List<String> options,
        @Nullable Security security)
        implements LocalProcess {

    /**
     * TLS for every connection and a password for every client.
     *
     * @param ca PEM
     * @param certificate of all members, with its key, PEM
     * @param keyFile the secret by which members know each other, in hexadecimal; whoever has it may do everything
     * @param trust in the CA
     */
    public record Security(Path ca, Path certificate, Path keyFile, SSLContext trust) {

        private List<String> options() {
            return List.of(
                    "--tlsMode",
                    "requireTLS",
                    "--tlsCertificateKeyFile",
                    certificate.toString(),
                    "--tlsCAFile",
                    ca.toString(),
                    // clients have a password
                    "--tlsAllowConnectionsWithoutCertificates",
                    "--keyFile",
                    keyFile.toString());
        }

        /** The address for a client with the rights of a member: it can initiate the replica set and create the first user. */
        public String asMember(String uri) {
            return uri.replaceFirst("mongodb://([^@]*@)?", "mongodb://__system:%s@".formatted(secret()))
                    + "&authSource=local&authMechanism=SCRAM-SHA-256";
        }

        private String secret() {
            try {
                return Files.readString(keyFile).strip();
            } catch (IOException e) {
                throw new UncheckedIOException("mongod: cannot read " + keyFile, e);
            }
        }
    }

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
        this(binary, home, port, List.of(port), cacheGigabytes, options, null);
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
        return Ports.answers(port) && ReplicaSet.hasPrimary(this);
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
        if (security != null) {
            command.addAll(security.options());
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

    /** A replica set of local mongods, often of one: majority writes and change streams need a replica set. */
    static final class ReplicaSet {

        static final String NAME = "rs0";

        private static final int ALREADY_INITIALIZED = 23;
        private static final int ANSWER_SECONDS = 3;

        private ReplicaSet() {}

        /**
         * Whether the mongod is the primary or follows one. If not, it makes the first member initiate a new replica set, or stand for
         * election: by itself it would wait for 10 s.
         */
        static boolean hasPrimary(LocalMongod mongod) {
            int port = mongod.port();
            List<Integer> members = mongod.members();
            try (MongoClient client = MongoClients.create(directly(mongod))) {
                MongoDatabase admin = client.getDatabase("admin");
                Document hello = run(admin, new Document("hello", 1));
                if (hello.getBoolean("isWritablePrimary", false)) {
                    return true;
                }
                boolean follower = hello.getBoolean("secondary", false);
                if (follower && hello.containsKey("primary")) {
                    return true;
                }
                if (port == members.get(0) && follower) {
                    run(admin, new Document("replSetStepUp", 1));
                } else if (port == members.get(0) && !hello.containsKey("setName")) {
                    initiate(admin, members.stream().map(Ports::address).toList());
                }
                return false;
            } catch (MongoException e) {
                return false;
            }
        }

        private static void initiate(MongoDatabase admin, List<String> addresses) {
            List<Document> members = IntStream.range(0, addresses.size())
                    .mapToObj(id -> new Document("_id", id).append("host", addresses.get(id)))
                    .toList();
            try {
                run(admin, new Document("replSetInitiate", new Document("_id", NAME).append("members", members)));
            } catch (MongoCommandException e) {
                if (e.getErrorCode() != ALREADY_INITIALIZED) {
                    throw e;
                }
                moveTo(admin, addresses);
            }
        }

        /**
         * After a change of the ports, the stored configuration has the old addresses. No mongod is elected until it has the new ones; the
         * other members take the configuration over from the first.
         */
        private static void moveTo(MongoDatabase admin, List<String> addresses) {
            Document config = run(admin, new Document("replSetGetConfig", 1)).get("config", Document.class);
            List<Document> members = config.getList("members", Document.class);
            if (members.stream()
                    .map(member -> member.getString("host"))
                    .toList()
                    .equals(addresses)) {
                return;
            }
            IntStream.range(0, addresses.size()).forEach(id -> members.get(id).put("host", addresses.get(id)));
            config.put("version", config.getInteger("version") + 1);
            run(admin, new Document("replSetReconfig", config).append("force", true));
        }

        private static Document run(MongoDatabase admin, Document command) {
            Document answer = Mono.from(admin.runCommand(command)).block(Duration.ofSeconds(2 * ANSWER_SECONDS));
            return Objects.requireNonNull(answer, "mongod sent no response");
        }

        private static MongoClientSettings directly(LocalMongod mongod) {
            String plain = "mongodb://" + Ports.address(mongod.port()) + "/?directConnection=true";
            Security security = mongod.security();
            String uri = security == null ? plain : security.asMember(plain + "&tls=true");
            return MongoClientSettings.builder()
                    .applyConnectionString(new ConnectionString(uri))
                    .applyToSslSettings(ssl -> ssl.context(security == null ? null : security.trust()))
                    .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(ANSWER_SECONDS, TimeUnit.SECONDS))
                    .applyToSocketSettings(socket -> socket.readTimeout(ANSWER_SECONDS, TimeUnit.SECONDS))
                    .build();
        }
    }
}
