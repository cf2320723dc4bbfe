package dev.ligeiro.gateway.http.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Eight threads send reads of three tenants, some of whose clients disconnect. Two reads of a tenant and three in all run at once. */
class TurnsConcurrencyTest {

    private static final int THREADS = 8;
    private static final int READS_OF_A_THREAD = 100;
    private static final int TENANTS = 3;
    private static final int MAX = 3;
    private static final Duration WAIT_MAX = Duration.ofMillis(2);

    private final ExecutorService clients = Executors.newFixedThreadPool(THREADS);
    private final Scheduler database = Schedulers.newParallel("database", MAX + 1);
    private final Scheduler timer = Schedulers.newSingle("timer");
    private final Turns slots = new Turns("lists", new Turns.Bounds(2, MAX, 2, 40, WAIT_MAX), took -> 0, timer);
    private final Queue<Client> all = new ConcurrentLinkedQueue<>();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @AfterEach
    void end() {
        clients.shutdownNow();
        database.dispose();
        timer.dispose();
    }

    @Test
    void theLimitHoldsEachClientHasOneOutcomeAndAllSlotsAreFreeAtTheEnd() {
        CompletableFuture.allOf(Stream.generate(() -> CompletableFuture.runAsync(this::sendReads, clients))
                        .limit(THREADS)
                        .toArray(CompletableFuture[]::new))
                .join();

        await().untilAsserted(() -> assertThat(all).allMatch(Client::isServed));
        database.disposeGracefully().block(Duration.ofSeconds(10)); // reads of disconnected clients may still run
        assertThat(most).hasValueLessThanOrEqualTo(MAX);
        assertThat(all).allSatisfy(client -> {
            assertThat(client.outcomes).hasSizeLessThanOrEqualTo(1);
            assertThat(client.starts)
                    .as("a refused read never runs")
                    .hasValueLessThanOrEqualTo(client.outcomes.contains("refused") ? 0 : 1);
        });
        assertThat(all).anyMatch(client -> client.left);
        assertThat(all.stream().flatMap(client -> client.outcomes.stream()).distinct())
                .containsExactlyInAnyOrder("answer", "refused");
        assertThatAllSlotsAreFree();
    }

    /** With the fault a read that was refused at the moment in which another one ended was told that all have too many. */
    @Test
    void aTenantThatIsAloneIsNeverToldThatThereAreTooManyOfAll() {
        Turns lists = new Turns("lists", new Turns.Bounds(1, MAX, 1, 40, Duration.ofMillis(1)), took -> 0, timer);
        Queue<ProblemCode> refusals = new ConcurrentLinkedQueue<>();
        CompletableFuture.allOf(Stream.generate(() -> CompletableFuture.runAsync(
                                () -> Flux.range(0, 20 * READS_OF_A_THREAD)
                                        .flatMap(read -> lists.run(
                                                        Tenant.of(1, Mode.TEST),
                                                        Mono.just(read).publishOn(database))
                                                .onErrorResume(Problem.class, refused -> {
                                                    refusals.add(refused.code());
                                                    return Mono.empty();
                                                }))
                                        .blockLast(),
                                clients))
                        .limit(THREADS)
                        .toArray(CompletableFuture[]::new))
                .join();

        assertThat(refusals).isNotEmpty().containsOnly(ProblemCode.RATE_LIMITED);
    }

    private void sendReads() {
        for (int i = 0; i < READS_OF_A_THREAD; i++) {
            Client client = new Client();
            all.add(client);
            Disposable read = client.read(
                    ThreadLocalRandom.current().nextInt(TENANTS),
                    Mono.fromSupplier(() -> query(client)).subscribeOn(database));
            pause();
            if (ThreadLocalRandom.current().nextInt(3) == 0) {
                client.left = true;
                read.dispose();
            }
        }
    }

    private String query(Client client) {
        client.starts.incrementAndGet();
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        pause();
        running.decrementAndGet();
        return "answer";
    }

    private static void pause() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(100_000));
    }

    private void assertThatAllSlotsAreFree() {
        List<Client> last = Stream.generate(Client::new).limit(MAX + 1).toList();
        for (int i = 0; i <= MAX; i++) {
            Client client = last.get(i);
            client.read(i / 2, Mono.<String>never().doOnSubscribe(subscribed -> client.starts.incrementAndGet()));
        }

        await().untilAsserted(() -> assertThat(last.get(MAX).outcomes).containsExactly("refused"));
        assertThat(last).extracting(client -> client.starts.get()).containsExactly(1, 1, 1, 0);
    }

    private final class Client {

        private final AtomicInteger starts = new AtomicInteger();
        private final Queue<String> outcomes = new ConcurrentLinkedQueue<>();
        private volatile boolean left;

        private Disposable read(int tenant, Mono<String> query) {
            return slots.run(Tenant.of(tenant + 1, Mode.TEST), query)
                    .subscribe(
                            outcomes::add,
                            failure -> outcomes.add(failure instanceof Problem ? "refused" : failure.toString()));
        }

        private boolean isServed() {
            return left || !outcomes.isEmpty();
        }
    }
}
