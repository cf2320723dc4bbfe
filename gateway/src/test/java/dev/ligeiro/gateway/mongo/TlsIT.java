package dev.ligeiro.gateway.mongo;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.testing.time.TestClock;
import org.junit.jupiter.api.Test;

/** A gateway with TLS refuses a mongod without TLS. */
class TlsIT {

    @Test
    void aMongodWithoutTlsIsRefused() {
        String database = RunningGateway.newDatabase();
        try (RunningGateway plain = RunningGateway.startOn(database, TestClock.ticking());
                RunningGateway gateway = RunningGateway.startOn(
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

            gateway.admin().withToken(null).get("/actuator/health/readiness").expect(503);
            gateway.admin().withToken(null).get("/actuator/health/liveness").expect(200);
        }
    }
}
