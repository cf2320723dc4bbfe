package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.processor.rail.CallShares.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processors that share an account's calls; each step is one compare-and-set. */
class CallSharesTest {

    private static final Duration CALLS_END_AFTER = Duration.ofSeconds(11);
    private static final Duration TICK = Duration.ofMillis(50);

    private Instant now = Instant.parse("2026-11-26T12:00:00Z");
    private CallShares shares = new CallShares(0, Map.of());
    private final List<Processor> processors = new ArrayList<>();
    private int calls;

    private final class Processor {

        final String id;
        int wanted;
        int running;
        int permitted;
        int made;
        Instant until = Instant.EPOCH;

        Processor(String id) {
            this.id = id;
        }

        Processor wants(int number) {
            wanted = number;
            return this;
        }

        void step() {
            CallShares.Step step = shares.next(id, calls, CALLS_END_AFTER, wanted, now);
            Share share = step.share(running, now);
            shares = new CallShares(0, shares.with(id, share, CALLS_END_AFTER, now));
            permitted = Math.min(share.held(), step.fair());
            until = share.until();
        }

        void startCalls() {
            while (running < Math.min(wanted, permitted) && !now.isAfter(until)) {
                running++;
                made++;
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        // calls, wanted by each, held by each
        "20, 0 0,       5 5",
        "20, 4,         12",
        "20, 20 0,      20 0",
        "20, 20 3,      17 3",
        "20, 90 90,     10 10",
        "20, 90 90 90,  7 7 6",
        "20, 2 2 90,    2 2 16",
        "5,  1 1 0,     2 1 1",
        "1,  0 1,       0 1",
    })
    void sharesFollowWhatIsWanted(int permittedByTheBank, String wanted, String held) {
        calls = permittedByTheBank;
        for (String number : wanted.split(" ")) {
            add().wants(Integer.parseInt(number));
        }
        for (int i = 0; i < 3; i++) {
            pass(1);
            processors.forEach(each -> each.running = 0);
        }

        assertThat(processors.stream().map(each -> String.valueOf(held(each)))).containsExactly(held.split(" "));
    }

    /** With one call or two for three processors. */
    @ParameterizedTest
    @CsvSource({"1", "2"})
    void eachHasItsTurnWhenThereAreTooFewCalls(int permittedByTheBank) {
        calls = permittedByTheBank;
        for (int i = 0; i < 3; i++) {
            add().wants(5);
        }
        for (int i = 0; i < 600; i++) {
            pass(1);
            processors.forEach(each -> each.running = 0);
        }

        // 30 s
        assertThat(processors).allSatisfy(each -> assertThat(each.made).isBetween(150 * calls, 250 * calls));
    }

    @Test
    void anIdleAccountWithOneCallStaysWhereItIs() {
        calls = 1;
        Processor first = add().wants(1);
        pass(2);
        first.wants(0);
        add();
        pass(200);

        assertThat(held(first)).isEqualTo(1);
    }

    @Test
    void theCallsOfAKilledProcessorReturnWhenTheyCannotBeRunningAnyMore() {
        calls = 20;
        Processor killed = add().wants(20);
        pass(2);
        killed.running = 12;
        processors.clear();
        Processor other = add("other").wants(20);

        now = now.plus(CallShares.TERM).plus(CALLS_END_AFTER).minus(TICK.multipliedBy(3));
        pass(1);
        assertThat(held(other)).isZero();
        pass(4);
        assertThat(held(other)).isEqualTo(20);
        assertThat(shares.shares()).containsOnlyKeys("other");
    }

    @Test
    void aCallThatIsRunningIsNotGivenUp() {
        calls = 20;
        Processor first = add().wants(15);
        pass(2);
        Processor second = add().wants(20);
        pass(10);

        assertThat(first.permitted).isEqualTo(10);
        assertThat(held(first)).isEqualTo(15);
        assertThat(held(second)).isEqualTo(5);
        first.running = 9;
        pass(2);
        assertThat(held(second)).isEqualTo(10);
    }

    /** Processors come, are killed, pause for longer than their share, and change what they want. */
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "3, 3", "20, 4", "20, 5"})
    void neverAreMoreCallsRunningThanPermitted(int permittedByTheBank, long seed) {
        calls = permittedByTheBank;
        Random random = new Random(seed);
        Map<Processor, Instant> killed = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            now = now.plusMillis(random.nextInt(200));
            if (processors.size() < 4 && random.nextInt(100) == 0) {
                add("p" + i);
            }
            for (Processor each : List.copyOf(processors)) {
                if (random.nextInt(2_000) == 0) {
                    processors.remove(each);
                    killed.put(each, now);
                } else if (random.nextInt(4) > 0) {
                    each.wants(each.running + random.nextInt(2 * calls)).step();
                }
                each.startCalls();
                each.running -= random.nextInt(each.running + 1);
            }
            // its calls end by their time limit at the latest
            killed.values().removeIf(at -> at.plus(CALLS_END_AFTER).isBefore(now));
            int running = processors.stream().mapToInt(each -> each.running).sum()
                    + killed.keySet().stream().mapToInt(each -> each.running).sum();
            assertThat(running).as("step %d", i).isLessThanOrEqualTo(calls);
        }
        assertThat(processors).isNotEmpty();
    }

    private Processor add() {
        return add("p" + processors.size());
    }

    private Processor add(String id) {
        Processor added = new Processor(id);
        processors.add(added);
        return added;
    }

    private void pass(int times) {
        for (int i = 0; i < times; i++) {
            now = now.plus(TICK);
            processors.forEach(Processor::step);
            processors.forEach(Processor::startCalls);
        }
    }

    private int held(Processor processor) {
        Share share = shares.shares().get(processor.id);
        return share == null ? 0 : share.held();
    }
}
