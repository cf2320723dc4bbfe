package dev.ligeiro.gateway.http.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterTry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Two reads of a tenant and three in all run at once; others wait for a second. */
class TurnsTest {

    private static final Tenant A = Tenant.of(1, Mode.TEST);
    private static final Tenant B = Tenant.of(2, Mode.TEST);
    private static final Tenant C = Tenant.of(3, Mode.TEST);

    private static final int WAITING_MAX = 10;
    private static final int THREADS = 8;

    private final Scheduler threads = Schedulers.newParallel("turns", THREADS);
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private Turns turns = new Turns(
            "lists", new Turns.Bounds(2, 3, WAITING_MAX, 20 * WAITING_MAX, Duration.ofSeconds(1)), took -> 0, time);

    @AfterEach
    @AfterTry
    void dispose() {
        time.dispose();
        threads.dispose();
        Hooks.resetOnErrorDropped();
    }

    @Test
    void aReadWithoutATurnIsRefusedAfterTheWait() {
        start(A, 2);
        Query ofTenant = new Query(A);
        start(B, 1);
        Query ofAll = new Query(C);
        time.advanceTimeBy(Duration.ofMillis(999));
        assertThat(List.of(ofTenant.outcome(), ofAll.outcome())).containsOnly("");

        time.advanceTimeBy(Duration.ofMillis(1));

        assertThat(ofTenant.outcome()).isEqualTo("429 2");
        assertThat(ofAll.outcome()).isEqualTo("503 2");
        assertThat(List.of(ofTenant.started(), ofAll.started())).containsOnly(false);
    }

    @Test
    void aTenantHasABoundedNumberOfWaitingReads() {
        start(A, 2 + WAITING_MAX);

        assertThat(new Query(A).outcome()).isEqualTo("429 2");
        start(B, 1);
        assertThat(new Query(C).outcome()).isEmpty();
    }

    /** With the fault, the failure of such a read was logged as an error. */
    @Test
    void aReadWhoseClientDisconnectsKeepsItsSlotUntilItsAnswer() {
        List<Throwable> dropped = new ArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        Query left = new Query(A);
        new Query(A);
        left.leave();
        Query next = new Query(A);
        assertThat(next.started()).isFalse();

        left.fail();

        assertThat(next.started()).isTrue();
        assertThat(dropped).isEmpty();
    }

    /**
     * Two queries at once; a turn rests at most three times as long as its query took.
     *
     * @param underWay reads, this one included
     * @param tookMillis the duration of the query
     * @param restMillis how long its turn stays unused
     */
    @ParameterizedTest
    @CsvSource({"10, 10, 30", "3, 10, 20", "1, 10, 0", "10, 8000, 250"})
    void aTurnRestsBeforeTheNextQueryTakesIt(int underWay, long tookMillis, long restMillis) {
        turns = BoundedReads.paced(2, 3, () -> underWay, time);
        Query first = new Query(A);
        new Query(A);
        Query third = new Query(A);
        time.advanceTimeBy(Duration.ofMillis(tookMillis));
        first.answer();
        assertThat(first.outcome()).as("its result does not wait").isEqualTo("answer");
        if (restMillis > 0) {
            time.advanceTimeBy(Duration.ofMillis(restMillis - 1));
            assertThat(third.started()).isFalse();
            time.advanceTimeBy(Duration.ofMillis(1));
        }
        assertThat(third.started()).isTrue();
    }

    @Test
    void anEmptyResultIsPassedOn() {
        assertThat(turns.run(A, Mono.empty()).hasElement().block()).isFalse();
    }

    @Test
    void theReadsOfManyThreadsAreBoundedHaveOneOutcomeEachAndLeaveNoTurn() {
        turns = new Turns("lists", new Turns.Bounds(2, 3, 2, 40, Duration.ofMillis(2)), took -> 0, threads);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger starts = new AtomicInteger();
        Mono<String> query = Mono.fromSupplier(() -> {
                    starts.incrementAndGet();
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(100_000));
                    running.decrementAndGet();
                    return "answer";
                })
                .subscribeOn(threads);

        List<String> outcomes = Flux.range(0, 800)
                .parallel(THREADS)
                .runOn(threads)
                .flatMap(i -> {
                    Mono<String> read = turns.run(Tenant.of(1 + i % 3, Mode.TEST), query);
                    return (i % 5 == 0 ? read.timeout(Duration.ofMillis(1), Mono.just("left"), threads) : read)
                            .onErrorResume(Problem.class, refused -> Mono.just("refused"));
                })
                .sequential()
                .collectList()
                .blockOptional()
                .orElseThrow();

        assertThat(outcomes).hasSize(800).contains("answer", "refused");
        assertThat(most).hasValueLessThanOrEqualTo(3);
        assertThat(starts)
                .as("a refused read never runs")
                .hasValueLessThanOrEqualTo(800 - Collections.frequency(outcomes, "refused"));
        await().until(() -> turns.underWay() == 0);
    }

    /** With the fault a read that was refused at the moment in which another one ended was told that all have too many. */
    @Test
    void aTenantThatIsAloneIsNeverToldThatThereAreTooManyOfAll() {
        turns = new Turns("lists", new Turns.Bounds(1, 3, 1, 40, Duration.ofMillis(1)), took -> 0, threads);

        List<ProblemCode> refusals = Flux.range(0, 16_000)
                .parallel(THREADS)
                .runOn(threads)
                .flatMap(read -> turns.run(A, Mono.just(read).publishOn(threads))
                        .<ProblemCode>flatMap(answer -> Mono.empty())
                        .onErrorResume(Problem.class, refused -> Mono.just(refused.code())))
                .sequential()
                .collectList()
                .blockOptional()
                .orElseThrow();

        assertThat(refusals).isNotEmpty().containsOnly(ProblemCode.RATE_LIMITED);
    }

    @Test
    void aFailedReadFreesItsSlot() {
        Query failing = new Query(A);
        new Query(A);
        Query next = new Query(A);

        failing.fail();

        assertThat(failing.outcome()).isEqualTo("IllegalStateException");
        assertThat(next.started()).isTrue();
    }

    /**
     * A read that arrives while the last running one ends must start then, or be found by it: it once waited until its time was over.
     *
     * @param steps below 3 a read of that tenant arrives, below 6 a running read is answered, below 8 the client of a waiting one leaves
     */
    @Property(tries = 300)
    void noReadWaitsThatCouldRunAndEachHasItsTurn(
            @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 7) Integer> steps) {
        List<Query> all = new ArrayList<>();
        for (int step : steps) {
            if (step < 3) {
                all.add(new Query(Tenant.of(step + 1, Mode.TEST)));
            } else if (step < 6) {
                pick(running(all), step).ifPresent(ended -> answerAndExpectTheNext(ended, all));
            } else {
                pick(waiting(all), step).ifPresent(Query::leave);
            }
            assertThat(running(all)).hasSizeLessThanOrEqualTo(3);
            assertThat(running(all))
                    .allSatisfy(read -> assertThat(ofTenant(read, running(all))).isLessThanOrEqualTo(2));
            assertThat(waiting(all)).noneMatch(read -> couldRun(read, running(all)));
        }
        while (!running(all).isEmpty()) {
            answerAndExpectTheNext(running(all).get(0), all);
        }
        assertThat(waiting(all)).isEmpty();
    }

    private static Optional<Query> pick(List<Query> queries, int which) {
        return queries.isEmpty() ? Optional.empty() : Optional.of(queries.get(which % queries.size()));
    }

    private static void answerAndExpectTheNext(Query ended, List<Query> all) {
        List<Query> waiting = waiting(all);
        List<Query> others =
                running(all).stream().filter(other -> other != ended).toList();
        Optional<Query> next =
                waiting.stream().filter(read -> couldRun(read, others)).findFirst();

        ended.answer();

        assertThat(waiting.stream().filter(Query::started).toList())
                .containsExactlyElementsOf(next.stream().toList());
    }

    private static List<Query> running(List<Query> all) {
        return all.stream().filter(read -> read.started() && !read.answered).toList();
    }

    private static List<Query> waiting(List<Query> all) {
        return all.stream()
                .filter(read -> !read.started() && !read.left && read.outcome().isEmpty())
                .toList();
    }

    private static boolean couldRun(Query read, List<Query> running) {
        return running.size() < 3 && ofTenant(read, running) < 2;
    }

    private static long ofTenant(Query read, List<Query> running) {
        return running.stream()
                .filter(other -> other.tenant.equals(read.tenant))
                .count();
    }

    private void start(Tenant tenant, int count) {
        for (int i = 0; i < count; i++) {
            new Query(tenant);
        }
    }

    /** A query that answers when the test says so. */
    private final class Query {

        private final List<String> seen = new ArrayList<>();
        private final Sinks.One<String> answer = Sinks.one();
        private final List<String> starts = new ArrayList<>();
        private final Tenant tenant;
        private final Disposable client;
        private boolean answered;
        private boolean left;

        private Query(Tenant tenant) {
            this.tenant = tenant;
            Mono<String> query = Mono.defer(() -> {
                starts.add("started");
                return answer.asMono();
            });
            client = turns.run(tenant, query).subscribe(seen::add, failure -> seen.add(text(failure)));
        }

        private boolean started() {
            return !starts.isEmpty();
        }

        /** {@code ""} while there is none. */
        private String outcome() {
            return String.join(",", seen);
        }

        private void leave() {
            left = true;
            client.dispose();
        }

        private void answer() {
            answered = true;
            answer.tryEmitValue("answer");
        }

        private void fail() {
            answer.tryEmitError(new IllegalStateException("a test"));
        }

        private static String text(Throwable failure) {
            return failure instanceof Problem problem
                    ? problem.code().status().value() + " " + problem.headers().get("Retry-After")
                    : failure.getClass().getSimpleName();
        }
    }
}
