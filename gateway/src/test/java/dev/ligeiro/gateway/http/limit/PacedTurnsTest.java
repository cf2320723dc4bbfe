package dev.ligeiro.gateway.http.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Two queries at once; a turn rests at most three times as long as its query took. */
class PacedTurnsTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final AtomicInteger reads = new AtomicInteger(10);
    private final Turns queries = BoundedReads.paced(2, 3, reads::get, time);

    @AfterEach
    void dispose() {
        time.dispose();
        Hooks.resetOnErrorDropped();
    }

    /**
     * @param underWay reads, this one included
     * @param tookMillis the duration of the query
     * @param restMillis how long its turn stays unused
     */
    @ParameterizedTest
    @CsvSource({"10, 10, 30", "3, 10, 20", "1, 10, 0", "10, 8000, 250"})
    void aTurnRestsBeforeTheNextQueryTakesIt(int underWay, long tookMillis, long restMillis) {
        reads.set(underWay);
        Query first = new Query();
        Query second = new Query();
        Query third = new Query();
        assertThat(List.of(first.started(), second.started(), third.started())).containsExactly(true, true, false);
        pass(tookMillis);

        first.answer();

        assertThat(first.outcome()).as("its result does not wait").isEqualTo("answer");
        if (restMillis > 0) {
            pass(restMillis - 1);
            assertThat(third.started()).isFalse();
            pass(1);
        }
        assertThat(third.started()).isTrue();
    }

    @Test
    void anEmptyResultIsPassedOn() {
        assertThat(queries.run("all", Mono.empty()).hasElement().block()).isFalse();
    }

    @Test
    void aQueryThatRunsKeepsItsTurnWhenItsReaderHasLeft() {
        List<Throwable> dropped = new ArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        reads.set(1);
        Query first = new Query();
        new Query();
        Query third = new Query();

        first.leave();
        assertThat(third.started()).isFalse();
        first.fail();

        assertThat(third.started()).isTrue();
        assertThat(dropped).isEmpty();
    }

    private void pass(long millis) {
        time.advanceTimeBy(Duration.ofMillis(millis));
    }

    private final class Query {

        private final Sinks.One<String> answer = Sinks.one();
        private final List<String> outcomes = new ArrayList<>();
        private final Disposable reader;
        private boolean started;

        private Query() {
            this.reader = queries.run("all", answer.asMono().doOnSubscribe(subscription -> started = true))
                    .subscribe(outcomes::add, failure -> outcomes.add(failure.toString()));
        }

        private boolean started() {
            return started;
        }

        private void answer() {
            answer.tryEmitValue("answer");
        }

        private void fail() {
            answer.tryEmitError(new IllegalStateException("down"));
        }

        private void leave() {
            reader.dispose();
        }

        private String outcome() {
            return String.join(", ", outcomes);
        }
    }
}
