package dev.ligeiro.support.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

class RequestBatcherTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final List<Call> calls = new CopyOnWriteArrayList<>();

    private RequestBatcher<Integer, String> batcher(int batchMax, int inFlightMax, int queuedMax) {
        return batcher(batchMax, inFlightMax, queuedMax, Duration.ZERO);
    }

    private RequestBatcher<Integer, String> batcher(int batchMax, int inFlightMax, int queuedMax, Duration spacing) {
        return new RequestBatcher<>(
                batchMax,
                inFlightMax,
                WaitingLimit.fixed(queuedMax),
                spacing,
                items -> {
                    Call call = new Call(items, Sinks.one());
                    calls.add(call);
                    return call.outcomes.asMono();
                },
                time);
    }

    @Test
    void requestsThatArriveDuringACallAreSentTogetherInTheirOrder() {
        RequestBatcher<Integer, String> batcher = batcher(10, 1, 10);
        submit(batcher, 1, 2, 3, 4);
        assertThat(items()).containsExactly(List.of(1));

        calls.get(0).succeed();

        assertThat(items()).containsExactly(List.of(1), List.of(2, 3, 4));
    }

    @Test
    void requestsThatArriveWithinTheSpacingAreSentTogetherWhenItHasPassed() {
        RequestBatcher<Integer, String> batcher = batcher(10, 2, 10, Duration.ofSeconds(1));
        submit(batcher, 1, 2);
        calls.get(0).succeed();
        submit(batcher, 3);
        time.advanceTimeBy(Duration.ofMillis(999));
        assertThat(items()).containsExactly(List.of(1));

        time.advanceTimeBy(Duration.ofMillis(1));

        assertThat(items()).containsExactly(List.of(1), List.of(2, 3));
    }

    @Test
    void aRequestAfterTheSpacingDoesNotWait() {
        RequestBatcher<Integer, String> batcher = batcher(10, 2, 10, Duration.ofSeconds(1));
        submit(batcher, 1);
        time.advanceTimeBy(Duration.ofSeconds(1));

        submit(batcher, 2);

        assertThat(items()).containsExactly(List.of(1), List.of(2));
    }

    @Test
    void aFullBatchDoesNotWaitForTheSpacing() {
        RequestBatcher<Integer, String> batcher = batcher(2, 2, 10, Duration.ofHours(1));

        submit(batcher, 1, 2, 3, 4);

        assertThat(items()).containsExactly(List.of(1), List.of(2, 3));
    }

    @Test
    void eachRequestHasItsOwnOutcome() {
        RequestBatcher<Integer, String> batcher = batcher(10, 1, 10);
        List<Mono<String>> outcomes = submit(batcher, 0, 1, 2, 3);
        calls.get(0).succeed();

        IllegalStateException refused = new IllegalStateException("2 is refused");
        calls.get(1).finish(new Outcomes(List.of(1, 2, 3), 2, refused));

        StepVerifier.create(outcomes.get(1)).expectNext("1 done").verifyComplete();
        StepVerifier.create(outcomes.get(2)).verifyErrorMatches(failure -> failure == refused);
        StepVerifier.create(outcomes.get(3)).expectNext("3 done").verifyComplete();
    }

    @Test
    void aCallThatFailsFailsItsRequestsAndNoOthers() {
        RequestBatcher<Integer, String> batcher = batcher(10, 1, 10);
        List<Mono<String>> outcomes = submit(batcher, 1, 2);
        IllegalStateException away = new IllegalStateException("away");

        calls.get(0).outcomes.tryEmitError(away);
        calls.get(1).succeed();

        StepVerifier.create(outcomes.get(0)).verifyErrorMatches(failure -> failure == away);
        StepVerifier.create(outcomes.get(1)).expectNext("2 done").verifyComplete();
    }

    @Test
    void aCallWithoutOutcomeFailsItsRequests() {
        RequestBatcher<Integer, String> batcher = new RequestBatcher<>(10, 1, 10, Duration.ZERO, items -> Mono.empty());

        StepVerifier.create(batcher.submit(1)).verifyErrorMessage("no outcome");
    }

    @Test
    void aCallThatThrowsFailsItsRequests() {
        RequestBatcher<Integer, String> batcher = new RequestBatcher<>(10, 1, 10, Duration.ZERO, items -> {
            throw new IllegalStateException("a bug");
        });

        StepVerifier.create(batcher.submit(1)).verifyErrorMessage("a bug");
        StepVerifier.create(batcher.submit(2)).verifyErrorMessage("a bug");
    }

    /** Regression: the slot was freed twice, and from then on more calls were in flight than allowed. */
    @Test
    void outcomesThatThrowFailTheirRequestsAndFreeOneSlot() {
        RequestBatcher<Integer, String> batcher = batcher(10, 1, 10);
        List<Mono<String>> outcomes = submit(batcher, 1, 2);

        calls.get(0).finish(new Broken());
        submit(batcher, 3);

        StepVerifier.create(outcomes.get(0)).verifyErrorMessage("broken outcomes");
        assertThat(items()).containsExactly(List.of(1), List.of(2));
    }

    @Test
    void aCanceledRequestIsDropped() {
        RequestBatcher<Integer, String> batcher = batcher(10, 1, 10);
        batcher.submit(1);
        StepVerifier.create(batcher.submit(2)).thenCancel().verify();
        batcher.submit(3);

        calls.get(0).succeed();

        assertThat(items()).containsExactly(List.of(1), List.of(3));
    }

    @Test
    void aFullQueueRefusesAtOnceAndTakesRequestsAgainLater() {
        RequestBatcher<Integer, String> batcher = batcher(10, 1, 2);
        submit(batcher, 1, 2, 3);

        StepVerifier.create(batcher.submit(4)).verifyErrorMessage("requests queued: 2 (expected: < 2)");
        calls.get(0).succeed();
        batcher.submit(5);
        calls.get(1).succeed();

        assertThat(items()).containsExactly(List.of(1), List.of(2, 3), List.of(5));
    }

    @Test
    void aFullQueueIsKnownBeforeARequestIsRead() {
        RequestBatcher<Integer, String> batcher = batcher(10, 1, 2);
        submit(batcher, 1, 2);
        batcher.requireRoom();
        submit(batcher, 3);

        assertThatThrownBy(batcher::requireRoom).isInstanceOf(QueueFullException.class);
        calls.get(0).succeed();
        batcher.requireRoom();
    }

    /** As in an outage of MongoDB: every call fails at once, and the next one starts. */
    @Test
    void aLongQueueOfCallsThatFailAtOnceDoesNotOverflowTheStack() {
        RequestBatcher<Integer, String> batcher = new RequestBatcher<>(
                1,
                1,
                100_000,
                Duration.ZERO,
                items -> items.get(0) == 0 ? gate.asMono() : Mono.error(new IllegalStateException("away")));
        batcher.submit(0);
        List<Mono<String>> outcomes =
                submit(batcher, IntStream.rangeClosed(1, 50_000).toArray());

        gate.tryEmitError(new IllegalStateException("away"));

        assertThat(outcomes)
                .allSatisfy(outcome ->
                        StepVerifier.create(outcome).expectErrorMessage("away").verify(Duration.ofSeconds(10)));
    }

    private final Sinks.One<RequestBatcher.Outcomes<String>> gate = Sinks.one();

    private static List<Mono<String>> submit(RequestBatcher<Integer, String> batcher, int... values) {
        return IntStream.of(values).mapToObj(batcher::submit).toList();
    }

    private List<List<Integer>> items() {
        return calls.stream().map(Call::items).toList();
    }

    /** A call in flight. */
    private record Call(List<Integer> items, Sinks.One<RequestBatcher.Outcomes<String>> outcomes) {

        void succeed() {
            finish(new Outcomes(items, -1, new IllegalStateException("unused")));
        }

        void finish(RequestBatcher.Outcomes<String> all) {
            outcomes.tryEmitValue(all);
        }
    }

    private record Outcomes(List<Integer> items, int failing, RuntimeException failure)
            implements RequestBatcher.Outcomes<String> {

        @Override
        public @Nullable Throwable failure(int index) {
            return items.get(index) == failing ? failure : null;
        }

        @Override
        public String result(int index) {
            return items.get(index) + " done";
        }
    }

    private record Broken() implements RequestBatcher.Outcomes<String> {

        @Override
        public @Nullable Throwable failure(int index) {
            throw new IllegalStateException("broken outcomes");
        }

        @Override
        public @Nullable String result(int index) {
            return null;
        }
    }

    private static final int ITEMS = 20_000;
    private static final int BATCH_MAX = 32;
    private static final int IN_FLIGHT_MAX = 2;
    private static final Duration SPACING = Duration.ofNanos(200_000);

    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger inFlightSeen = new AtomicInteger();
    private final AtomicInteger batchSeen = new AtomicInteger();
    private final AtomicInteger callCount = new AtomicInteger();

    /** Eight threads submit requests. Calls end at once or on another thread; every tenth request fails. */
    @Test
    void everyRequestIsAnsweredOnceAndTheLimitsHold() {
        RequestBatcher<Integer, Integer> batcher =
                new RequestBatcher<>(BATCH_MAX, IN_FLIGHT_MAX, ITEMS, SPACING, this::call);

        List<Integer> answers = Flux.range(0, ITEMS)
                .parallel(8)
                .runOn(Schedulers.parallel())
                .flatMap(item -> batcher.submit(item).onErrorReturn(-item), false, 64)
                .sequential()
                .collectList()
                .block(Duration.ofSeconds(30));

        assertThat(answers).hasSize(ITEMS).allSatisfy(answer -> assertThat(answer <= 0)
                .isEqualTo(answer % 10 == 0));
        assertThat(answers).doesNotHaveDuplicates();
        assertThat(inFlightSeen).hasValueLessThanOrEqualTo(IN_FLIGHT_MAX);
        assertThat(batchSeen).hasValueLessThanOrEqualTo(BATCH_MAX);
        assertThat(callCount).hasValueLessThan(ITEMS);
        assertThat(inFlight).hasValue(0);
    }

    private Mono<RequestBatcher.Outcomes<Integer>> call(List<Integer> items) {
        inFlightSeen.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        batchSeen.accumulateAndGet(items.size(), Math::max);
        callCount.incrementAndGet();
        Mono<RequestBatcher.Outcomes<Integer>> outcomes = Mono.fromCallable(() -> {
            inFlight.decrementAndGet();
            return new Tenths(items);
        });
        return ThreadLocalRandom.current().nextBoolean() ? outcomes : outcomes.subscribeOn(Schedulers.parallel());
    }

    private record Tenths(List<Integer> items) implements RequestBatcher.Outcomes<Integer> {

        @Override
        public @Nullable Throwable failure(int index) {
            return items.get(index) % 10 == 0 ? new IllegalArgumentException("a tenth") : null;
        }

        @Override
        public Integer result(int index) {
            return items.get(index);
        }
    }
}
