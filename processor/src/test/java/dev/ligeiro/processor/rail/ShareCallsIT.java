package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankAnswer;
import dev.ligeiro.processor.rail.bank.RunningBank;
import dev.ligeiro.testing.time.TestClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

/** Several processors and a bank that counts the calls of their account. */
class ShareCallsIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

    private final TestDatabase mongodb = new TestDatabase();
    private final MongoDatabase database = mongodb.database();
    private final TestClock clock = TestClock.ticking();
    private final List<Processor> processors = new ArrayList<>();
    /** Each test starts another one. */
    @SuppressWarnings("NullAway.Init")
    private RunningBank bank;

    private int callsAtOnce;

    @AfterEach
    void close() {
        processors.forEach(each -> each.sharing.stop());
        bank.close();
        mongodb.close();
    }

    @ParameterizedTest
    @CsvSource({
        // calls at once, calls of each processor, calls at once that the bank must see at least
        "1,  15,  1",
        "3,  30,  2",
        "20, 100, 6",
    })
    void theCallsOfAllProcessorsStayWithinThoseOfTheAccount(int atOnce, int calls, int atOnceLeast) {
        startBank(atOnce);
        List<Processor> both = List.of(start(), start());
        both.forEach(each -> each.call(calls));

        // neither waits for the other to have no more calls
        await().atMost(TIMEOUT).until(() -> both.stream().allMatch(each -> each.answered() > 0));
        assertThat(both).anySatisfy(each -> assertThat(each.answered()).isLessThan(calls));
        await().atMost(TIMEOUT).until(() -> both.stream().allMatch(each -> each.answered() == calls));
        assertThat(refused()).isZero();
        assertThat(atOnceMost()).isBetween(atOnceLeast, atOnce);
    }

    @Test
    void theCallOfAKilledProcessorIsFreeWhenItCannotBeRunningAnyMore() {
        startBank(1);
        Processor killed = start();
        await().atMost(TIMEOUT).until(() -> killed.calls().permitted() == 1);
        killed.sharing.stop();
        Processor other = start();
        other.call(1);

        // a second for the clocks, and one for this test
        clock.move(CallShares.TERM.plus(CALL_TIMEOUT).minusSeconds(1));
        await().during(Duration.ofMillis(500)).until(() -> other.answered() == 0);
        // if it was only paused, it starts no call either
        killed.call(1);
        clock.move(Duration.ofSeconds(2));

        await().atMost(TIMEOUT).until(() -> other.answered() == 1);
        assertThat(killed.answered()).isZero();
    }

    @Test
    void aStoppedProcessorHandsItsCallsOver() {
        startBank(1);
        Processor first = start();
        await().atMost(TIMEOUT).until(() -> first.calls().permitted() == 1);
        Processor second = start();
        second.call(1);
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        Instant before = Instant.now();
        first.sharing.stop(() -> stopped.complete(null));

        assertThat(stopped).succeedsWithin(TIMEOUT);
        await().atMost(TIMEOUT).until(() -> second.answered() == 1);
        assertThat(before).isAfter(Instant.now().minus(CallShares.TERM));
    }

    private void startBank(int permitted) {
        callsAtOnce = permitted;
        bank = new RunningBank(settings -> settings.callsAtOnceMax(permitted).delayMax(Duration.ofMillis(60)));
        bank.faults(1, "slow");
    }

    private int refused() {
        return bank.post("GET", "/calls", "").path("refused").asInt();
    }

    private int atOnceMost() {
        return bank.post("GET", "/calls", "").path("at_once_max").asInt();
    }

    private Processor start() {
        Processor started = new Processor();
        processors.add(started);
        started.sharing.start();
        return started;
    }

    /** The calls of one processor. */
    private final class Processor {

        private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
        private final BankRails bankRails = BankRails.sharing(
                bank, meters, clock, "calls-at-once=" + callsAtOnce, "call-timeout=" + CALL_TIMEOUT.toSeconds() + "s");
        private final BankAccount account =
                Objects.requireNonNull(bankRails.live().accounts().get("bank"));
        private final Rails rails = bankRails.rails();
        private final ShareCalls sharing = new ShareCalls(rails, new CallShareStore(database), meters, clock);
        private final List<CompletableFuture<BankAnswer>> made = new ArrayList<>();

        void call(int times) {
            Mono<BankAnswer> call = rails.make("bank", account.get("charge_inquiry", "/v2/cob/unknown"), TIMEOUT);
            made.addAll(Stream.generate(call::toFuture).limit(times).toList());
        }

        long answered() {
            return made.stream()
                    .filter(each -> each.isDone() && each.join().status() != 429)
                    .count();
        }

        AccountCalls calls() {
            return rails.calls("bank");
        }
    }
}
