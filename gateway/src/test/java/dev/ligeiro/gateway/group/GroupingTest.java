package dev.ligeiro.gateway.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoException;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

class GroupingTest {

    private final List<Call> calls = new CopyOnWriteArrayList<>();

    private Grouping<Integer, String> grouping(int groupMax, int inFlightMax, int queuedMax) {
        return grouping(groupMax, inFlightMax, queuedMax, Duration.ZERO);
    }

    private Grouping<Integer, String> grouping(int groupMax, int inFlightMax, int queuedMax, Duration spacing) {
        return new Grouping<>(groupMax, inFlightMax, queuedMax, spacing, items -> {
            Call call = new Call(items, Sinks.one());
            calls.add(call);
            return call.outcomes.asMono();
        });
    }

    @Test
    void theFirstItemDoesNotWait() {
        grouping(10, 1, 10).submit(1);

        assertThat(items()).containsExactly(List.of(1));
    }

    @Test
    void whatComesWhileACallIsUnderWayGoesTogetherWithTheNextInOrder() {
        Grouping<Integer, String> grouping = grouping(10, 1, 10);
        submit(grouping, 1, 2, 3, 4);
        assertThat(items()).containsExactly(List.of(1));

        calls.get(0).succeed();

        assertThat(items()).containsExactly(List.of(1), List.of(2, 3, 4));
    }

    @Test
    void whatComesWithinTheSpacingGoesTogetherWhenItHasPassed() {
        Grouping<Integer, String> grouping = grouping(10, 2, 10, Duration.ofSeconds(1));
        submit(grouping, 1, 2);
        calls.get(0).succeed();
        submit(grouping, 3);
        assertThat(items()).containsExactly(List.of(1));

        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(items()).containsExactly(List.of(1), List.of(2, 3)));
    }

    @Test
    void aWholeGroupDoesNotWaitForTheSpacing() {
        Grouping<Integer, String> grouping = grouping(2, 2, 10, Duration.ofHours(1));

        submit(grouping, 1, 2, 3, 4);

        assertThat(items()).containsExactly(List.of(1), List.of(2, 3));
    }

    @Test
    void aGroupHasALimit() {
        Grouping<Integer, String> grouping = grouping(2, 1, 10);
        submit(grouping, 1, 2, 3, 4, 5, 6);
        calls.get(0).succeed();
        calls.get(1).succeed();
        calls.get(2).succeed();

        assertThat(items()).containsExactly(List.of(1), List.of(2, 3), List.of(4, 5), List.of(6));
    }

    @Test
    void asManyCallsAreUnderWayAsAllowed() {
        Grouping<Integer, String> grouping = grouping(10, 2, 10);
        submit(grouping, 1, 2, 3, 4);
        assertThat(items()).containsExactly(List.of(1), List.of(2));

        calls.get(1).succeed();

        assertThat(items()).containsExactly(List.of(1), List.of(2), List.of(3, 4));
    }

    @Test
    void eachItemHasItsOwnOutcome() {
        Grouping<Integer, String> grouping = grouping(10, 1, 10);
        List<Mono<String>> outcomes = submit(grouping, 0, 1, 2, 3);
        calls.get(0).succeed();

        IllegalStateException refused = new IllegalStateException("2 is refused");
        calls.get(1).finish(new Outcomes(List.of(1, 2, 3), 2, refused));

        StepVerifier.create(outcomes.get(1)).expectNext("1 done").verifyComplete();
        StepVerifier.create(outcomes.get(2)).verifyErrorMatches(failure -> failure == refused);
        StepVerifier.create(outcomes.get(3)).expectNext("3 done").verifyComplete();
    }

    @Test
    void anItemWithoutResultCompletesEmpty() {
        Grouping<Integer, String> grouping =
                new Grouping<>(10, 1, 10, Duration.ZERO, items -> Mono.just(new Nothing()));

        StepVerifier.create(grouping.submit(1)).verifyComplete();
    }

    @Test
    void aCallThatFailsFailsItsItemsAndNoOthers() {
        Grouping<Integer, String> grouping = grouping(10, 1, 10);
        List<Mono<String>> outcomes = submit(grouping, 1, 2);
        MongoException away = new MongoException("away");

        calls.get(0).outcomes.tryEmitError(away);
        calls.get(1).succeed();

        StepVerifier.create(outcomes.get(0)).verifyErrorMatches(failure -> failure == away);
        StepVerifier.create(outcomes.get(1)).expectNext("2 done").verifyComplete();
    }

    @Test
    void aCallWithoutOutcomeFailsItsItems() {
        Grouping<Integer, String> grouping = new Grouping<>(10, 1, 10, Duration.ZERO, items -> Mono.empty());

        StepVerifier.create(grouping.submit(1)).verifyErrorMessage("no outcome");
    }

    @Test
    void aCallThatThrowsFailsItsItems() {
        Grouping<Integer, String> grouping = new Grouping<>(10, 1, 10, Duration.ZERO, items -> {
            throw new IllegalStateException("a bug");
        });

        StepVerifier.create(grouping.submit(1)).verifyErrorMessage("a bug");
        StepVerifier.create(grouping.submit(2)).verifyErrorMessage("a bug");
    }

    /** It once gave its slot back twice, and more calls were under way from then on than allowed. */
    @Test
    void outcomesThatThrowFailTheirItemsAndFreeOneSlot() {
        Grouping<Integer, String> grouping = grouping(10, 1, 10);
        List<Mono<String>> outcomes = submit(grouping, 1, 2);

        calls.get(0).finish(new Broken());
        submit(grouping, 3);

        StepVerifier.create(outcomes.get(0)).verifyErrorMessage("broken outcomes");
        assertThat(items()).containsExactly(List.of(1), List.of(2));
    }

    @Test
    void anItemWhoseCallerHasGoneIsDropped() {
        Grouping<Integer, String> grouping = grouping(10, 1, 10);
        grouping.submit(1);
        StepVerifier.create(grouping.submit(2)).thenCancel().verify();
        grouping.submit(3);

        calls.get(0).succeed();

        assertThat(items()).containsExactly(List.of(1), List.of(3));
    }

    @Test
    void anItemThatTimesOutIsDropped() {
        Grouping<Integer, String> grouping = grouping(10, 1, 10);
        grouping.submit(1);
        StepVerifier.withVirtualTime(() -> grouping.submit(2).timeout(Duration.ofSeconds(3)))
                .thenAwait(Duration.ofSeconds(3))
                .verifyError(java.util.concurrent.TimeoutException.class);

        calls.get(0).succeed();

        assertThat(items()).containsExactly(List.of(1));
    }

    @Test
    void aFullQueueRefusesAtOnceAndTakesItemsAgainLater() {
        Grouping<Integer, String> grouping = grouping(10, 1, 2);
        submit(grouping, 1, 2, 3);

        StepVerifier.create(grouping.submit(4))
                .verifyErrorMatches(
                        failure -> failure instanceof Problem problem && problem.code() == ProblemCode.UNAVAILABLE);
        calls.get(0).succeed();
        grouping.submit(5);
        calls.get(1).succeed();

        assertThat(items()).containsExactly(List.of(1), List.of(2, 3), List.of(5));
    }

    /** MongoDB away: every call fails at once, each starting the next. */
    @Test
    void aLongQueueOfCallsThatFailAtOnceDoesNotOverflowTheStack() {
        Grouping<Integer, String> grouping = new Grouping<>(
                1,
                1,
                100_000,
                Duration.ZERO,
                items -> items.get(0) == 0 ? gate.asMono() : Mono.error(new MongoException("away")));
        grouping.submit(0);
        List<Mono<String>> outcomes =
                submit(grouping, IntStream.rangeClosed(1, 50_000).toArray());

        gate.tryEmitError(new MongoException("away"));

        assertThat(outcomes)
                .allSatisfy(outcome ->
                        StepVerifier.create(outcome).expectErrorMessage("away").verify(Duration.ofSeconds(1)));
    }

    private final Sinks.One<Grouping.Outcomes<String>> gate = Sinks.one();

    private static List<Mono<String>> submit(Grouping<Integer, String> grouping, int... values) {
        return IntStream.of(values).mapToObj(grouping::submit).toList();
    }

    private List<List<Integer>> items() {
        return calls.stream().map(Call::items).toList();
    }

    /** A call under way. */
    private record Call(List<Integer> items, Sinks.One<Grouping.Outcomes<String>> outcomes) {

        void succeed() {
            finish(new Outcomes(items, -1, new IllegalStateException("unused")));
        }

        void finish(Grouping.Outcomes<String> all) {
            outcomes.tryEmitValue(all);
        }
    }

    private record Outcomes(List<Integer> items, int failing, RuntimeException failure)
            implements Grouping.Outcomes<String> {

        @Override
        public @Nullable Throwable failure(int index) {
            return items.get(index) == failing ? failure : null;
        }

        @Override
        public String result(int index) {
            return items.get(index) + " done";
        }
    }

    private record Nothing() implements Grouping.Outcomes<String> {

        @Override
        public @Nullable Throwable failure(int index) {
            return null;
        }

        @Override
        public @Nullable String result(int index) {
            return null;
        }
    }

    private record Broken() implements Grouping.Outcomes<String> {

        @Override
        public @Nullable Throwable failure(int index) {
            throw new IllegalStateException("broken outcomes");
        }

        @Override
        public @Nullable String result(int index) {
            return null;
        }
    }
}
