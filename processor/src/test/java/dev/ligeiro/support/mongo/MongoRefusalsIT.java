package dev.ligeiro.support.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.connection.TransportSettings;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import dev.ligeiro.fixture.SelfSignedCertificate;
import dev.ligeiro.infra.brokers.LocalMongod;
import dev.ligeiro.infra.brokers.MongodBinary;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.testing.brokers.LocalBroker;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.log.CapturedLogs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

class MongoRefusalsIT {

    private static final double CACHE_GIGABYTES = 0.25;
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    @Test
    void aRefusedPasswordIsLoggedOnceAndNotItself() {
        String uri = TestBrokers.mongodbUri("shop").replace("mongodb://", "mongodb://ligeiro:a-wrong-password@");
        try (CapturedLogs logs = new CapturedLogs(MongoRefusals.class.getName());
                MongoClient client = client(uri)) {
            failingPing(client);
            failingPing(client);
            await().atMost(WAIT_MAX).until(() -> !lines(logs, uri).isEmpty());

            assertThat(lines(logs, uri))
                    .singleElement()
                    .asString()
                    .contains("mongodb_refuses", "MongoSecurityException")
                    .doesNotContain("a-wrong-password");
        }
    }

    @Test
    void anUnknownCertificateIsLogged(@TempDir Path folder) throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.in(folder);
        LocalMongod mongod = new LocalMongod(
                MongodBinary.find(),
                folder.resolve("mongod"),
                Ports.free(),
                CACHE_GIGABYTES,
                List.of(
                        "--tlsMode",
                        "preferTLS",
                        "--tlsCertificateKeyFile",
                        certificate.withKey().toString()));
        LocalBroker broker = new LocalBroker(mongod);
        try {
            broker.start();
            try (CapturedLogs logs = new CapturedLogs(MongoRefusals.class.getName());
                    MongoClient client = client(mongod.uri("shop") + "&tls=true")) {
                failingPing(client);

                assertThat(logs.lines())
                        .singleElement()
                        .asString()
                        .contains("mongodb_refuses", "SSLHandshakeException");
            }
        } finally {
            broker.kill();
        }
    }

    @Test
    void aServerThatIsAwayRefusesNobody() {
        String uri = "mongodb://127.0.0.1:" + Ports.free() + "/?replicaSet=rs0";
        try (CapturedLogs logs = new CapturedLogs(MongoRefusals.class.getName());
                MongoClient client = client(uri)) {
            failingPing(client);

            assertThat(lines(logs, uri)).isEmpty();
        }
    }

    /** The lines about the server of {@code uri}: the client of another test may still log. */
    private static List<String> lines(CapturedLogs logs, String uri) {
        String server = new ConnectionString(uri).getHosts().get(0);
        return logs.lines().stream().filter(line -> line.contains(server)).toList();
    }

    private static MongoClient client(String uri) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToServerSettings(server -> server.addServerListener(new MongoRefusals()))
                .transportSettings(TransportSettings.nettyBuilder().build())
                .timeout(2_000, TimeUnit.MILLISECONDS)
                .build());
    }

    private static void failingPing(MongoClient client) {
        assertThat(Mono.from(client.getDatabase("shop").runCommand(new Document("ping", 1)))
                        .materialize()
                        .blockOptional(WAIT_MAX)
                        .orElseThrow()
                        .isOnError())
                .isTrue();
    }
}
