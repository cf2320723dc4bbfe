package dev.ligeiro.support.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class RequestBatcherStressTest {

    private static final int ITEMS = 20_000;
    private static final int BATCH_MAX = 32;
    private static final int IN_FLIGHT_MAX = 2;
    private static final Duration SPACING = Duration.ofNanos(200_000);

    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger inFlightSeen = new AtomicInteger();
    private final AtomicInteger batchSeen = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();

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
        assertThat(calls).hasValueLessThan(ITEMS);
        assertThat(inFlight).hasValue(0);
    }

    private Mono<RequestBatcher.Outcomes<Integer>> call(List<Integer> items) {
        inFlightSeen.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        batchSeen.accumulateAndGet(items.size(), Math::max);
        calls.incrementAndGet();
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
