package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.dispatcher.Dispatches;
import dev.ligeiro.dispatcher.attempt.FirstAttempts.Result;
import dev.ligeiro.dispatcher.http.TooManyLookups;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

class AttemptsTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:15Z");
    private static final Tenant BUSY = new Tenant(2);
    private static final Tenant OTHER = new Tenant(4);
    private static final Duration WINDOW = Duration.ofMillis(250);

    private final WebhookEndpoint slow = Dispatches.endpoint(1, BUSY);
    private final WebhookEndpoint quick = Dispatches.endpoint(2, BUSY);
    private final WebhookEndpoint foreign = Dispatches.endpoint(3, OTHER);
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final List<Dispatch> started = new ArrayList<>();
    private final Map<Dispatch, Sinks.One<Completed>> begun = new IdentityHashMap<>();
    private final List<Completed> late = new ArrayList<>();
    private final AtomicBoolean mayStart = new AtomicBoolean(true);
    private Duration stall = Duration.ZERO;
    private Attempts attempts;
    private FirstAttempts firstAttempts;

    AttemptsTest() {
        limit(10, 10, 1);
    }

    @AfterEach
    void dispose() {
        time.dispose();
    }

    // limits and turns

    @Test
    void anEndpointATenantAndAllTogetherHaveTheirLimits() {
        limit(5, 3, 2);
        run(dispatches(quick, 3));
        assertThat(started).hasSize(2);
        run(dispatches(slow, 3));
        assertThat(started).hasSize(3);
        lane(foreign, 9);
        assertThat(started).hasSize(5);
        assertThat(attempts.running()).isEqualTo(5);
        end(started.get(4));
        assertThat(started).hasSize(6).last().matches(last -> last.endpoint() == foreign);
    }

    @ParameterizedTest
    @CsvSource({
        // in-flight-max, first attempts while lanes use all they may, lane attempts while first attempts do
        "512, 128, 64",
        "8, 2, 1",
    })
    void lanesAndFirstAttemptsLeaveEachOtherAShare(int max, int firstAttempts, int ofLanes) {
        limit(max, max, max);
        endpoints(BUSY).forEach(endpoint -> lane(endpoint, 20));
        endpoints(OTHER).forEach(endpoint -> run(dispatches(endpoint, 20)));
        assertThat(startedOf(OTHER)).isEqualTo(firstAttempts);
        assertThat(attempts.running()).isEqualTo(max);

        started.clear();
        limit(max, max, max);
        endpoints(OTHER).forEach(endpoint -> run(dispatches(endpoint, 20)));
        endpoints(BUSY).forEach(endpoint -> lane(endpoint, 20));
        assertThat(startedOf(BUSY)).isEqualTo(ofLanes);
        assertThat(attempts.running()).isEqualTo(max);
    }

    /** 520 attempts at once may run to them. */
    private static Stream<WebhookEndpoint> endpoints(Tenant tenant) {
        return IntStream.range(10, 36).mapToObj(number -> Dispatches.endpoint(number, tenant));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEndpointThatIsQuickGetsMoreAtOnceAndOneThatFailsAsManyAsBefore(boolean first) {
        limit(100, 100, 40);
        if (first) {
            run(dispatches(quick, 999));
        } else {
            lane(quick, 999);
        }
        assertThat(started).hasSize(20);
        for (int ended = 0; ended < 20 + 21; ended++) {
            end(started.get(ended));
        }
        assertThat(attempts.running()).isEqualTo(22);
        assertThat(attempts.window(quick.id())).isEqualTo(22);

        end(started.get(41), AttemptOutcome.REJECTED);
        assertThat(attempts.window(quick.id())).isEqualTo(20);
        assertThat(attempts.running()).isEqualTo(21);
        end(started.get(42));
        end(started.get(43));
        assertThat(attempts.running()).isEqualTo(20);
    }

    /** Half of all at most: the other half is left to endpoints with small windows. */
    @Test
    void theWindowsOfAllEndpointsGrowByHalfOfTheAttemptsAtMost() {
        limit(120, 120, 120);
        lane(quick, 9_999);
        for (int ended = 0; ended < 5_000; ended++) {
            end(started.get(ended));
        }
        assertThat(attempts.running()).isEqualTo(20 + 60);
    }

    /** Its endpoints respond slowly, so it has many running attempts; a free place goes to a tenant with fewer. */
    @Test
    void theTenantWithTheFewestRunningAttemptsIsNext() {
        limit(8, 8, 8);
        run(dispatches(slow, 7));
        lane(slow, 9);
        lane(foreign, 9);
        assertThat(attempts.running()).isEqualTo(8);
        List.copyOf(started.subList(0, 4)).forEach(this::end);
        assertThat(started.subList(8, 12)).extracting(Dispatch::endpoint).containsOnly(foreign);
    }

    @Test
    void theEndpointsOfATenantTakeTurnsAndSoDoFirstAttemptsAndRetries() {
        limit(4, 4, 1);
        lane(quick, 5);
        Dispatch[] first = dispatches(quick, 3);
        run(first);
        for (int i = 0; i < 5; i++) {
            end(started.get(i));
        }
        assertThat(started.stream().map(List.of(first)::contains))
                .containsExactly(false, false, true, false, true, false);
        lane(slow, 5);
        assertThat(startedTo(slow)).isOne();
    }

    @Test
    void aLaneThatCannotStartDoesNotTakeThePlaceOfItsTenant() {
        limit(2, 2, 1);
        lane(quick, 0);
        lane(slow, 1);
        assertThat(started).hasSize(1);
    }

    // batches

    @Test
    void attemptsToOneEndpointStartOneAfterTheOther() {
        Dispatch first = dispatch(quick);
        Dispatch second = dispatch(quick);
        Batch batch = run(first, second);
        assertThat(started).containsExactly(first);
        end(first);
        assertThat(started).containsExactly(first, second);
        assertThat(batch.hasEnded()).isFalse();
        end(second);
        assertThat(batch.result().completed()).hasSize(2);
    }

    /** Under overload. Stored, each would be written twice, and attempted seconds later. */
    @Test
    void whatHasNotStartedStaysInItsBatchWhileTheEndpointIsQuick() {
        Dispatch[] dispatches = dispatches(quick, 40);
        Batch batch = run(dispatches);
        Batch next = run(dispatch(quick));
        for (Dispatch dispatch : dispatches) {
            assertThat(batch.hasEnded()).isFalse();
            pass(Duration.ofMillis(20));
            end(dispatch);
        }
        Result result = batch.result();
        assertThat(result.completed()).hasSize(40);
        assertThat(result.running()).isEmpty();
        assertThat(result.notStarted()).isEmpty();
        end(started.get(40));
        assertThat(next.result().notStarted()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // milliseconds of an attempt, deliveries; completed, running, not started when the batch ends, whether the
        // endpoint counts as slow
        "20, 40, 40, 0, 0, false",
        "200, 4, 4, 0, 0, false",
        // too slow for the intake
        "60000, 10, 0, 1, 9, true",
        // quick, but more than a second behind
        "20, 100, 13, 0, 87, false",
        // the intake counts such an endpoint as slow by itself
        "300, 1, 0, 1, 0, false",
    })
    void howLongABatchWaitsForItsEndpoint(
            int millis, int count, int completed, int running, int notStarted, boolean slow) {
        Dispatch[] dispatches = dispatches(quick, count);
        Batch batch = run(dispatches);
        for (int passed = 10; !batch.hasEnded() && passed < 2_000; passed += 10) {
            pass(Duration.ofMillis(10));
            if (passed % millis == 0) {
                end(started.get(started.size() - 1));
            }
        }
        Result result = batch.result();
        assertThat(List.of(
                        result.completed().size(),
                        result.running().size(),
                        result.notStarted().size()))
                .containsExactly(completed, running, notStarted);
        assertThat(result.slow().contains(quick.id())).isEqualTo(slow);
    }

    /** It slows down so gradually that it is quick enough in each window. */
    @Test
    void aBatchHoldsUnstartedAttemptsForEightWindowsAtMost() {
        Batch batch = run(dispatches(quick, 77));
        for (int ends : new int[] {16, 13, 11, 9, 7, 6, 5, 4}) {
            Duration between = WINDOW.dividedBy(ends + 1);
            for (int i = 0; i < ends; i++) {
                pass(between);
                end(started.get(started.size() - 1));
            }
            assertThat(batch.hasEnded()).isFalse();
            pass(WINDOW.minus(between.multipliedBy(ends)));
        }
        assertThat(batch.result().notStarted()).hasSize(5);
    }

    @Test
    void anEndpointThatTheTenantHasNoPlaceForHoldsABatchForOneWindow() {
        limit(10, 2, 1);
        lane(slow, 1);
        lane(Dispatches.endpoint(4, BUSY), 1);
        Dispatch stuck = dispatch(quick);
        Dispatch other = dispatch(foreign);
        Batch batch = run(stuck, other);
        end(other);
        assertThat(batch.hasEnded()).isFalse();
        pass(WINDOW);
        Result result = batch.result();
        assertThat(result.completed()).extracting(Completed::dispatch).containsExactly(other);
        assertThat(result.notStarted()).containsExactly(stuck);
        assertThat(result.slow()).containsExactly(quick.id());
    }

    /** Alone, the endpoint would hold its batch, and with it the intake, see above. */
    @Test
    void anEndpointAtItsLimitDoesNotHoldUpTheEventsOfOtherTenants() {
        run(dispatch(foreign));
        end(started.get(0));
        Batch batch = run(dispatches(quick, 40));
        for (int i = 1; i <= 12; i++) {
            pass(Duration.ofMillis(20));
            end(started.get(i));
        }
        assertThat(batch.hasEnded()).isFalse();
        pass(Duration.ofMillis(10));
        end(started.get(13));
        Result result = batch.result();
        assertThat(result.completed()).hasSize(13);
        assertThat(result.notStarted()).hasSize(27);
        assertThat(result.slow()).isEmpty();
    }

    /** The ends of attempts wait behind the check, so their number says nothing about the endpoint. */
    @Test
    void anEndpointIsNotCalledSlowAfterAStallOfThisProcess() {
        Batch batch = run(dispatches(quick, 3));
        stall = Duration.ofMillis(60);
        pass(WINDOW);
        stall = Duration.ZERO;
        assertThat(batch.hasEnded()).isFalse();
        end(started.get(0));
        end(started.get(1));
        end(started.get(2));
        assertThat(batch.result().completed()).hasSize(3);
    }

    @Test
    void anAttemptThatOutlastsItsBatchDoesNotKeepTheOthersInMemory() {
        Dispatch hanging = dispatch(slow);
        Dispatch other = dispatch(quick);
        Batch batch = run(hanging, other);
        end(other);
        pass(WINDOW);
        WeakReference<Completed> ended =
                new WeakReference<>(batch.result().completed().get(0));
        batch.results.clear();
        begun.remove(other);
        await().untilAsserted(() -> {
            System.gc();
            assertThat(ended.get()).isNull();
        });
        assertThat(attempts.running()).isOne();
    }

    @Test
    void aSlowEndpointDoesNotKeepTheOthersInTheBatch() {
        Dispatch hanging = dispatch(slow);
        Dispatch waiting = dispatch(slow);
        Dispatch other = dispatch(quick);
        Batch batch = run(hanging, waiting, other);
        end(other);
        pass(WINDOW);
        Result result = batch.result();
        assertThat(result.completed()).extracting(Completed::dispatch).containsExactly(other);
        assertThat(result.running()).containsExactly(hanging);
        assertThat(result.notStarted()).containsExactly(waiting);
        end(hanging);
        assertThat(late).extracting(Completed::dispatch).containsExactly(hanging);
        assertThat(started).containsExactly(hanging, other);
        assertThat(attempts.running()).isZero();
    }

    /** The endpoint's lane, which has a circuit breaker, makes the others. */
    @Test
    void tenFailuresInARowEndTheAttemptsToTheirEndpoint() {
        Dispatch[] dispatches = dispatches(quick, 15);
        Batch batch = run(dispatches);
        for (int i = 0; i < 10; i++) {
            end(dispatches[i], AttemptOutcome.REJECTED);
        }
        assertThat(started).hasSize(10);
        assertThat(batch.result().notStarted()).hasSize(5);
    }

    @ParameterizedTest
    @CsvSource({"429, 2, 1", "503, 2, 1", "429,, 2", "500, 2, 2", "429, 0, 2"})
    void anEndpointThatAsksForAPauseGetsNoFurtherAttempt(int status, @Nullable Long retryAfterSeconds, int expected) {
        Dispatch first = dispatch(quick);
        Duration retryAfter = retryAfterSeconds == null ? null : Duration.ofSeconds(retryAfterSeconds);
        run(first, dispatch(quick));
        Attempt rejected = new Attempt(NOW, AttemptOutcome.REJECTED, status, Duration.ofMillis(5));
        end(new Completed(first, rejected, retryAfter));
        assertThat(started).hasSize(expected);
    }

    @Test
    void anAttemptWithoutALookupIsLeftToTheLaneWithTheRestOfItsLine() {
        Dispatch first = dispatch(quick);
        Dispatch second = dispatch(quick);
        Batch batch = run(first, second);
        Objects.requireNonNull(begun.get(first)).tryEmitError(new TooManyLookups());
        assertThat(started).containsExactly(first);
        assertThat(batch.result().notStarted()).containsExactlyInAnyOrder(first, second);
        assertThat(attempts.running()).isZero();
    }

    @Test
    void aCanceledBatchStartsNoFurtherAttempt() {
        Dispatch first = dispatch(quick);
        Batch batch = run(first, dispatch(quick));
        batch.subscription.dispose();
        end(first);
        assertThat(started).containsExactly(first);
        assertThat(attempts.running()).isZero();
    }

    /** The consumer has lost its partitions. */
    @Test
    void aBatchThatMayStartNoFurtherAttemptEndsWithTheRunningOnes() {
        Dispatch first = dispatch(quick);
        Dispatch waiting = dispatch(quick);
        Batch batch = run(first, waiting);
        mayStart.set(false);
        end(first);
        assertThat(started).containsExactly(first);
        Result result = batch.result();
        assertThat(result.completed()).extracting(Completed::dispatch).containsExactly(first);
        assertThat(result.notStarted()).containsExactly(waiting);
    }

    private void limit(int max, int perTenantMax, int perEndpointMax) {
        WebhookProperties properties = Settings.of(
                WebhookProperties.class,
                "ligeiro.webhook.in-flight-max=" + max,
                "ligeiro.webhook.in-flight-per-tenant-max=" + perTenantMax,
                "ligeiro.webhook.in-flight-per-endpoint-max=" + perEndpointMax);
        attempts = new Attempts(next -> attempt(next.dispatch), properties, new Stalling());
        firstAttempts = new FirstAttempts(attempts, properties);
    }

    /** The virtual time, read with a delay. */
    private final class Stalling implements Scheduler {

        @Override
        public Disposable schedule(Runnable task) {
            return time.schedule(task);
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return time.schedule(task, delay, unit);
        }

        @Override
        public long now(TimeUnit unit) {
            return time.now(unit) + unit.convert(stall);
        }

        @Override
        public Worker createWorker() {
            return time.createWorker();
        }
    }

    private Mono<Completed> attempt(Dispatch dispatch) {
        Sinks.One<Completed> end = Sinks.one();
        started.add(dispatch);
        begun.put(dispatch, end);
        return end.asMono();
    }

    private void pass(Duration passed) {
        time.advanceTimeBy(passed);
    }

    private long startedOf(Tenant tenant) {
        return started.stream()
                .filter(one -> one.endpoint().tenant().equals(tenant))
                .count();
    }

    private long startedTo(WebhookEndpoint endpoint) {
        return started.stream().filter(one -> one.endpoint() == endpoint).count();
    }

    private void end(Dispatch dispatch) {
        end(dispatch, AttemptOutcome.DELIVERED);
    }

    private void end(Dispatch dispatch, AttemptOutcome outcome) {
        end(new Completed(dispatch, new Attempt(NOW, outcome, 204, Duration.ofMillis(5)), null));
    }

    private void end(Completed completed) {
        Objects.requireNonNull(begun.get(completed.dispatch())).tryEmitValue(completed);
    }

    /** A batch of first attempts. */
    private static final class Batch {

        private final List<Result> results = new ArrayList<>();
        private final Disposable subscription;

        private Batch(Mono<Result> result) {
            subscription = result.subscribe(results::add);
        }

        private boolean hasEnded() {
            return !results.isEmpty();
        }

        private Result result() {
            assertThat(results).hasSize(1);
            return results.get(0);
        }
    }

    private Batch run(Dispatch... dispatches) {
        return new Batch(firstAttempts.run(Arrays.asList(dispatches), mayStart::get, late::add));
    }

    /** Retries of a lane. */
    private void lane(WebhookEndpoint endpoint, int count) {
        Deque<Dispatch> waiting = new ArrayDeque<>(List.of(dispatches(endpoint, count)));
        Attempts.Source lane = new Attempts.Source(endpoint.tenant(), endpoint.id()) {
            @Override
            protected Attempts.@Nullable Pending take() {
                Dispatch next = waiting.poll();
                return next == null ? null : new Retry(next);
            }
        };
        attempts.execute(() -> attempts.ready(lane));
    }

    private static final class Retry extends Attempts.Pending {

        private Retry(Dispatch dispatch) {
            super(dispatch, Instant.MAX);
        }

        @Override
        protected void ended(Completed completed) {}

        @Override
        protected void notStarted(Throwable reason) {}
    }

    private static Dispatch[] dispatches(WebhookEndpoint endpoint, int count) {
        return Stream.generate(() -> dispatch(endpoint)).limit(count).toArray(Dispatch[]::new);
    }

    /** Each is a new object: they are told apart by identity. */
    private static Dispatch dispatch(WebhookEndpoint endpoint) {
        return Dispatches.to(endpoint);
    }
}
