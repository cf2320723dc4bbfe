package dev.ligeiro.gateway.store;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SentCommands;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.log.CapturedLogs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** While MongoDB is away, requests are answered 503 within three seconds; once it is back, they succeed without a restart. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutageIT {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(3);
    private static final String KEY = "repeated after the outage";
    private static final Executor CALLERS = Executors.newCachedThreadPool();

    private final RunningGateway gateway = RunningGateway.start();
    private final TestMerchant merchant = gateway.newMerchant();
    private final String id = merchant.created(merchant.cashin());

    @AfterAll
    void stop() {
        gateway.close();
    }

    @Tag("nightly")
    @Test
    void requestsAreUnavailableWhileMongodbIsDown() {
        assertUnavailableDuring(TestBrokers.mongodb()::kill);
    }

    @Test
    void requestsAreUnavailableWhileMongodbNeitherAnswersNorCloses() {
        assertUnavailableDuring(TestBrokers.mongodb()::freeze);
    }

    /**
     * Inserts that end long after their ids were made: a gateway that was paused sees the same. Two batches are with MongoDB, so the third
     * create is not sent before the pause, and lists have counted the time of its id.
     */
    @Test
    void ofLateCreatesThoseAreStoredThatMongodbHadBefore() {
        awaitRecovery();
        TestMerchant late = gateway.newMerchant();
        late.created(late.cashin());
        SentCommands commands = gateway.commands();
        List<Answer> answers = createLate(late, 3);

        String first = answers.get(0).expect(201).transactionId();
        answers.get(2).expectProblem(503, "overloaded");
        commands.readToTheEnd();
        assertThat(commands.of(first)).hasSize(1);
        long created = answers.stream().filter(answer -> answer.status() == 201).count();
        assertThat(late.api().get(ALL).expect(200).json().path("total").asLong())
                .isEqualTo(1 + created);
    }

    /**
     * Moves the clock several times, since only the gateway knows when it has made the ids. All must be over before its limit of 2.2 s for
     * an answer of MongoDB.
     */
    private List<Answer> createLate(TestMerchant late, int count) {
        TestBrokers.mongodb().freeze();
        try {
            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                answers.add(late.postAsync(CASHIN, late.cashin(), "late-" + i));
                await().until(() -> gateway.metric("ligeiro_http_requests_in_flight ") == answers.size());
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

    private void assertUnavailableDuring(Runnable outage) {
        // the gateway knows the key then, although another test has moved its clock
        awaitRecovery();
        try (CapturedLogs logs = new CapturedLogs()) {
            outage.run();
            try {
                assertOutage();
            } finally {
                TestBrokers.mongodb().start();
            }
            awaitRecovery();
            assertOneTransactionHasTheKey();
            assertThat(logs.errors()).isEmpty();
        }
    }

    /** Sends every kind of request at once, with a cached key and with one that the gateway must look up. */
    private void assertOutage() {
        Api unknown = gateway.api().withToken("sk_test_" + UUID.randomUUID() + "0123456");
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Duration> others = CompletableFuture.supplyAsync(() -> longestOfOthers(ended), CALLERS);
        List<CompletableFuture<Answer>> all = Stream.<Supplier<Answer>>of(
                        () -> assertSaysWhatToDo(
                                merchant.api().post(CASHIN, merchant.cashin()), "list your transactions"),
                        () -> assertSaysWhatToDo(
                                merchant.post(CASHIN, merchant.cashin(), KEY), "the same Idempotency-Key"),
                        () -> merchant.post(ONE + id + "/cancel", "", KEY),
                        () -> merchant.api().post(ONE + id + "/refund", "{}"),
                        () -> merchant.api().get(ONE + id),
                        () -> merchant.api().get(ALL),
                        () -> merchant.api().get(ALL + "?status=pending&name_document=zoe"),
                        () -> merchant.api().get("/api/v1/webhooks"),
                        () -> unknown.post(CASHIN, merchant.cashin()),
                        () -> unknown.get(ALL),
                        () -> gateway.api().get("/checkout/" + id))
                .map(request -> CompletableFuture.supplyAsync(() -> assertUnavailable(request.get()), CALLERS))
                .toList();
        List<CompletableFuture<Answer>> pages = Stream.generate(
                        () -> CompletableFuture.supplyAsync(this::assertPageSaysThatItFailed, CALLERS))
                .limit(10)
                .toList();
        List<Answer> answers = Stream.of(all, pages)
                .flatMap(List::stream)
                .map(CompletableFuture::join)
                .toList();
        ended.set(true);
        Duration answerMax = ANSWER_MAX.plus(others.join());
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.after()).as(answer.body()).isLessThan(answerMax));
        await().until(() -> health("readiness") == 503);
        assertThat(health("liveness")).isEqualTo(200);
    }

    /** The longest time until the response to a request that needs no MongoDB. On a busy machine, the others take that much longer. */
    private Duration longestOfOthers(AtomicBoolean ended) {
        List<Duration> times = new ArrayList<>();
        await().pollInterval(Duration.ofMillis(50)).until(() -> {
            times.add(gateway.api().get("/nope").expect(404).after());
            return ended.get();
        });
        return Collections.max(times);
    }

    private static Answer assertSaysWhatToDo(Answer answer, String advice) {
        assertThat(answer.text("detail"))
                .startsWith("The transaction may have been stored. ")
                .contains(advice);
        return answer;
    }

    private static Answer assertUnavailable(Answer answer) {
        assertThat(answer.expectProblem(503, "unavailable").header("Retry-After"))
                .matches("[1-9][0-9]*");
        return answer;
    }

    private Answer assertPageSaysThatItFailed() {
        Answer page = Api.send(gateway.api().request("/checkout/" + id).header("Accept", "text/html"));

        assertThat(page.expect(503).header("Content-Type")).isEqualTo("text/html;charset=UTF-8");
        return page;
    }

    /** Whether or not the create during the outage was stored, its repetition finds or creates the same transaction. */
    private void assertOneTransactionHasTheKey() {
        Answer first = merchant.post(CASHIN, merchant.cashin(), KEY).expect(201);
        Answer second = merchant.post(CASHIN, merchant.cashin(), KEY).expect(201);

        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(second.body()).isEqualTo(first.body());
    }

    private void awaitRecovery() {
        await().atMost(Duration.ofSeconds(60)).until(() -> health("readiness") == 200);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> merchant.api().post(CASHIN, merchant.cashin()).status() == 201);
        merchant.api().get(ONE + id).expect(200);
        merchant.api().get(ALL).expect(200);
    }

    private int health(String group) {
        return gateway.management().get("/actuator/health/" + group).status();
    }
}
