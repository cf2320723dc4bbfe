package dev.ligeiro.gateway.store;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import dev.ligeiro.fixture.SelfSignedCertificate;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.brokers.LocalMongod;
import dev.ligeiro.infra.brokers.MongodBinary;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.testing.brokers.LocalBroker;
import dev.ligeiro.testing.time.TestClock;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

class TlsIT {

    private static final double CACHE_GIGABYTES = 0.25;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    @Tag("nightly")
    @Test
    void aMongodWithoutTlsIsRefused() {
        String database = RunningGateway.newDatabase();
        try (RunningGateway plain = RunningGateway.startOn(database, TestClock.ticking());
                RunningGateway gateway = RunningGateway.startUnready(
                        database,
                        TestClock.ticking(),
                        "spring.mongodb.ssl.enabled=true",
                        "ligeiro.mongodb.connect-timeout=1s",
                        "ligeiro.mongodb.operation-timeout=1s")) {
            TestMerchant merchant = plain.newMerchant();
            merchant.created(merchant.cashin());

            gateway.api()
                    .withToken(merchant.key())
                    .post(CASHIN, merchant.cashin())
                    .expectProblem(503, "unavailable");

            gateway.management().get("/actuator/health/readiness").expect(503);
            gateway.management().get("/actuator/health/liveness").expect(200);
        }
    }

    /** Creates and lists have a MongoDB client each, with different transports. */
    @Test
    void createsAndListsAreAnsweredByAMongodThatRefusesConnectionsWithoutTls(@TempDir Path folder)
            throws IOException, GeneralSecurityException {
        SelfSignedCertificate certificate = SelfSignedCertificate.in(folder);
        LocalMongod mongod = mongodWithTls(certificate, folder);
        LocalBroker broker = new LocalBroker(mongod);
        try {
            broker.start();
            refuseConnectionsWithoutTls(mongod);
            try (RunningGateway gateway = RunningGateway.start(
                    "spring.mongodb.uri=" + mongod.uri("tls"),
                    "spring.mongodb.ssl.bundle=mongod",
                    "spring.ssl.bundle.pem.mongod.truststore.certificate="
                            + certificate.file().toUri())) {
                TestMerchant merchant = gateway.newMerchant();
                String id = merchant.created(merchant.cashin());

                assertThat(merchant.api()
                                .get(ALL)
                                .expect(200)
                                .json()
                                .path("transactions")
                                .path(0)
                                .path("id")
                                .asString())
                        .isEqualTo(id);
            }
        } finally {
            broker.kill();
        }
    }

    private static LocalMongod mongodWithTls(SelfSignedCertificate certificate, Path folder) {
        return new LocalMongod(
                MongodBinary.find(),
                folder.resolve("mongod"),
                Ports.free(),
                CACHE_GIGABYTES,
                List.of(
                        "--tlsMode",
                        "preferTLS",
                        "--tlsCertificateKeyFile",
                        certificate.withKey().toString(),
                        "--tlsCAFile",
                        certificate.file().toString(),
                        "--tlsAllowConnectionsWithoutCertificates"));
    }

    private static void refuseConnectionsWithoutTls(LocalMongod mongod) {
        try (MongoClient client = MongoClients.create(mongod.uri("admin"))) {
            Document mode = new Document("setParameter", 1).append("tlsMode", "requireTLS");
            Mono.from(client.getDatabase("admin").runCommand(mode)).block(ANSWER_MAX);
        }
    }
}
