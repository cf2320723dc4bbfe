package dev.ligeiro.infra.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.infra.brokers.Ports.PortTakenException;
import dev.ligeiro.testing.brokers.LocalBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class LocalMongodIT {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final double CACHE_GIGABYTES = 0.25;

    private final Path home;
    private LocalMongod mongod;
    private LocalBroker broker;

    LocalMongodIT(@TempDir Path home) {
        this.home = home;
        this.mongod = mongodOn(Ports.free());
        this.broker = new LocalBroker(mongod);
    }

    @BeforeEach
    void begin() {
        broker.start();
    }

    @AfterEach
    void end() {
        broker.kill();
    }

    /** Each day, the tests of the services' outages kill and stop the same mongod. */
    @Test
    @Tag("nightly")
    void keepsAcknowledgedWritesOverStopAndKillAndMove() {
        insert("before stop");
        broker.stop();
        broker.start();
        insert("before kill");
        long killed = broker.pid();
        broker.kill();
        assertThat(ProcessHandle.of(killed)).isEmpty();
        broker.start();
        insert("after kill");
        broker.stop();
        moveTo(Ports.free());
        insert("on another port");
        assertThat(all()).containsExactly("before stop", "before kill", "after kill", "on another port");
    }

    @Test
    void refusesATakenPort() {
        assertThatThrownBy(mongod::spawn)
                .isInstanceOf(PortTakenException.class)
                .hasMessage("mongod cannot listen on port %d: it is taken by another process", mongod.port());
    }

    @Test
    void saysWhyItDoesNotStart() {
        LocalMongod onTheSameData = new LocalMongod(mongod.binary(), mongod.home(), Ports.free(), CACHE_GIGABYTES);
        assertThatThrownBy(new LocalBroker(onTheSameData)::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("mongod ended with exit code 100. The end of " + mongod.home());
    }

    @Tag("nightly")
    @Test
    void threeMembersKeepTheirDataOverAMove() {
        List<LocalBroker> members = startThree(Ports.freeInARow(3));
        try {
            insert("before move");
        } finally {
            members.forEach(LocalBroker::stop);
        }
        members = startThree(Ports.freeInARow(3));
        try {
            insert("on other ports");
            assertThat(all()).containsExactly("before move", "on other ports");
        } finally {
            members.forEach(LocalBroker::kill);
        }
    }

    /** Like the launcher, it starts all before it waits for one. */
    private List<LocalBroker> startThree(int firstPort) {
        List<Integer> ports = List.of(firstPort, firstPort + 1, firstPort + 2);
        List<LocalMongod> three = ports.stream()
                .map(port -> new LocalMongod(
                        mongod.binary(),
                        home.resolve("member-" + ports.indexOf(port)),
                        port,
                        ports,
                        CACHE_GIGABYTES,
                        List.of(),
                        null))
                .toList();
        List<LocalBroker> members = three.stream().map(LocalBroker::new).toList();
        CompletableFuture.allOf(members.stream()
                        .map(member -> CompletableFuture.runAsync(member::start))
                        .toArray(CompletableFuture[]::new))
                .join();
        mongod = three.get(0);
        return members;
    }

    private void moveTo(int port) {
        mongod = mongodOn(port);
        broker = new LocalBroker(mongod);
        broker.start();
    }

    private LocalMongod mongodOn(int port) {
        return new LocalMongod(MongodBinary.find(), home.resolve("a home"), port, CACHE_GIGABYTES);
    }

    private void insert(String text) {
        try (MongoClient client = MongoClients.create(mongod.uri("test"))) {
            Mono.from(notes(client).insertOne(new Document("text", text))).block(LIMIT);
        }
    }

    private List<String> all() {
        try (MongoClient client = MongoClients.create(mongod.uri("test"))) {
            return Flux.from(notes(client).find())
                    .map(note -> note.getString("text"))
                    .collectList()
                    .blockOptional(LIMIT)
                    .orElseThrow();
        }
    }

    private static MongoCollection<Document> notes(MongoClient client) {
        return client.getDatabase("test")
                .getCollection("notes")
                .withReadConcern(ReadConcern.MAJORITY)
                .withWriteConcern(WriteConcern.MAJORITY.withJournal(true));
    }
}
