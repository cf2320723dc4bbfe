package dev.ligeiro.gateway.api.create;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SentCommands;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.testing.brokers.TestBrokers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Creates whose insert ends long after the id was made. The tests move the clock while MongoDB is frozen; a gateway that was paused sees
 * the same.
 */
class LateCreateIT {

    @Test
    void aLateCreateSucceedsOnceKafkaHasItsCommand() {
        try (RunningGateway gateway = RunningGateway.start();
                SentCommands commands = new SentCommands()) {
            String id = createLate(gateway, gateway.newMerchant()).expect(201).transactionId();

            commands.readToTheEnd();
            assertThat(commands.of(id)).hasSize(1);
        }
    }

    /** Lists have already counted the time of its id. Two batches are with MongoDB, so the third create is not sent before the pause. */
    @Test
    void aCreateThatIsSentLongAfterItsIdWasMadeIsNotStored() {
        try (RunningGateway gateway = RunningGateway.start()) {
            TestMerchant merchant = gateway.newMerchant();

            List<Answer> answers = createLate(gateway, merchant, 3);

            answers.get(0).expect(201);
            answers.get(2).expectProblem(503, "overloaded");
            assertThat(merchant.api()
                            .get(TestMerchant.ALL)
                            .expect(200)
                            .json()
                            .path("total")
                            .asInt())
                    .isEqualTo(1
                            + answers.stream()
                                    .filter(answer -> answer.status() == 201)
                                    .count());
        }
    }

    private static Answer createLate(RunningGateway gateway, TestMerchant merchant) {
        return createLate(gateway, merchant, 1).get(0);
    }

    /**
     * Moves the clock several times, since only the gateway knows when it has made the ids. All must be over before its limit of 2.2 s for
     * an answer of MongoDB.
     */
    private static List<Answer> createLate(RunningGateway gateway, TestMerchant merchant, int count) {
        merchant.created(merchant.cashin());
        TestBrokers.mongodb().freeze();
        try {
            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                answers.add(merchant.postAsync(CASHIN, merchant.cashin(), "late-" + i));
                await().until(() -> requestsInFlight(gateway) == answers.size());
            }
            AtomicInteger moves = new AtomicInteger();
            await().pollInterval(Duration.ofMillis(80)).until(() -> {
                gateway.clock().move(Duration.ofSeconds(31));
                return moves.incrementAndGet() == 8;
            });
            TestBrokers.mongodb().start();
            return answers.stream().map(CompletableFuture::join).toList();
        } finally {
            TestBrokers.mongodb().start();
        }
    }

    private static double requestsInFlight(RunningGateway gateway) {
        return gateway.management()
                .get("/actuator/metrics/ligeiro.http.requests.in.flight")
                .expect(200)
                .json()
                .at("/measurements/0/value")
                .asDouble();
    }
}
