package dev.ligeiro.processor.rail.bank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.time.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class AccessTokenTest {

    private static final Duration LIFE = Duration.ofMinutes(50);

    private final TestClock clock = TestClock.frozen();
    private final List<Sinks.One<AccessToken.Granted>> requests = new ArrayList<>();
    private final AccessToken token = new AccessToken(
            Mono.defer(() -> {
                Sinks.One<AccessToken.Granted> answer = Sinks.one();
                requests.add(answer);
                return answer.asMono();
            }),
            clock);
    private final List<String> got = new ArrayList<>();

    @Test
    void manyCallsWaitForOneRequest() {
        get();
        get();
        grant(0, "a");
        get();

        assertThat(got).containsExactly("a", "a", "a");
        assertThat(requests).hasSize(1);
    }

    @Test
    void itIsRenewedBeforeItEnds() {
        get();
        grant(0, "a");
        clock.move(LIFE.dividedBy(5).multipliedBy(4).minusSeconds(1));
        get();
        clock.move(Duration.ofSeconds(1));
        get();
        grant(1, "b");

        assertThat(got).containsExactly("a", "a", "b");
    }

    @Test
    void aRefusedOneIsRenewedAndTheRefusalOfAnOlderOneIsIgnored() {
        get();
        AccessToken.Granted first = grant(0, "a");
        token.accept(first);
        token.refuse(first);
        get();
        AccessToken.Granted second = grant(1, "b");
        token.refuse(first);
        get();
        assertThat(got).containsExactly("a", "b", "b");

        token.accept(second);
        token.refuse(second);
        token.refuse(first);
        get();
        grant(2, "c");
        assertThat(got).containsExactly("a", "b", "b", "c");
    }

    /** Otherwise a bank that refuses all tokens would be asked for one with each call. */
    @Test
    void aNewOneThatIsRefusedFromTheBeginningIsKeptForAWhile() {
        get();
        AccessToken.Granted first = grant(0, "a");
        token.refuse(first);
        get();
        clock.move(Duration.ofSeconds(5));
        token.refuse(first);
        get();
        grant(1, "b");

        assertThat(got).containsExactly("a", "a", "b");
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "0, 1", "3600, 3600", "9223372036854775807, 86400"})
    void itsLifeIsBounded(long seconds, long bounded) {
        assertThat(new AccessToken.Granted("a", clock.instant(), Duration.ofSeconds(seconds)).life())
                .isEqualTo(Duration.ofSeconds(bounded));
    }

    @Test
    void aCallThatEndsDoesNotStopTheRequestOfOthers() {
        Disposable ends = token.get().subscribe();
        get();
        ends.dispose();
        grant(0, "a");

        assertThat(got).containsExactly("a");
    }

    @Test
    void afterAFailureTheNextCallAsksAgain() {
        token.get().subscribe(granted -> {}, failure -> got.add("failed"));
        requests.get(0).tryEmitError(new IllegalStateException("503"));
        get();
        grant(1, "b");

        assertThat(got).containsExactly("failed", "b");
    }

    private void get() {
        token.get().subscribe(granted -> got.add(granted.value()));
    }

    private AccessToken.Granted grant(int request, String value) {
        AccessToken.Granted granted = new AccessToken.Granted(value, clock.instant(), LIFE);
        requests.get(request).tryEmitValue(granted);
        return granted;
    }
}
