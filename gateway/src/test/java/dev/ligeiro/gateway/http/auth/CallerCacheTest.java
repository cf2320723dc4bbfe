package dev.ligeiro.gateway.http.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Callers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class CallerCacheTest {

    private static final Instant START = Instant.parse("2026-03-10T14:30:20Z");
    private static final String HASH = "hash";

    private final Caller caller = Callers.ofMerchant(7);

    /** The look-ups, {@code true} for those of keys that were valid before. */
    private final List<Boolean> lookUps = new ArrayList<>();

    private Mono<Caller> answer = Mono.just(caller);
    private final CallerCache cache = new CallerCache((hash, wasValid) -> {
        lookUps.add(wasValid);
        return answer;
    });

    @Test
    void aCallerIsUsedForFiveSeconds() {
        assertThat(kept(0)).isNull();
        assertThat(lookUp(0)).isSameAs(caller);

        assertThat(kept(2_499)).isSameAs(caller);
        assertThat(lookUps).hasSize(1);
        answer = Mono.never();
        assertThat(kept(4_999)).isSameAs(caller);
        assertThat(kept(5_000)).isNull();
    }

    @Test
    void aCallerIsReadAgainOnceWhileItIsUsed() {
        lookUp(0);
        Sinks.One<Caller> refresh = Sinks.one();
        answer = refresh.asMono();

        kept(2_500);
        kept(2_600);
        assertThat(lookUps).containsExactly(false, true);

        refresh.tryEmitError(new IllegalStateException("away"));
        answer = Mono.just(caller);
        lookUp(5_000);
        assertThat(kept(7_499)).isSameAs(caller);
        assertThat(lookUps).containsExactly(false, true, true);
    }

    @Test
    void aRevokedKeyIsNotFoundWhenItIsReadAgain() {
        lookUp(0);
        answer = Mono.empty();

        assertThat(kept(2_500)).isSameAs(caller);

        assertThat(kept(2_501)).isNull();
        assertThat(lookUp(2_501)).isNull();
    }

    @Test
    void anUnknownKeyIsLookedUpOnce() {
        answer = Mono.empty();

        assertThat(lookUp(0)).isNull();
        assertThat(lookUp(1)).isNull();

        assertThat(lookUps).containsExactly(false);
    }

    @Test
    void requestsAtTheSameTimeShareALookUp() {
        Sinks.One<Caller> read = Sinks.one();
        answer = read.asMono();
        List<Caller> found = new ArrayList<>();
        cache.lookUp(HASH, START).subscribe(found::add);
        cache.lookUp(HASH, START).subscribe(found::add);

        read.tryEmitValue(caller);

        assertThat(found).containsExactly(caller, caller);
        assertThat(lookUps).hasSize(1);
    }

    @Test
    void aRequestAfterAChangeSharesNoEarlierLookUp() {
        answer = Sinks.<Caller>one().asMono();
        cache.lookUp(HASH, START).onErrorComplete().subscribe();

        cache.outdate();
        answer = Mono.just(caller);

        assertThat(lookUp(1)).isSameAs(caller);
    }

    @Test
    void aFailureIsNotKept() {
        answer = Mono.error(new IllegalStateException("away"));
        assertThat(cache.lookUp(HASH, START).onErrorComplete().block()).isNull();

        answer = Mono.just(caller);
        assertThat(lookUp(1)).isSameAs(caller);
    }

    @Test
    void afterAFailedRefreshTheCallerIsUsedUpToItsTime() {
        lookUp(0);
        answer = Mono.error(new IllegalStateException("away"));

        assertThat(kept(2_500)).isSameAs(caller);
        assertThat(kept(4_999)).isSameAs(caller);
        assertThat(kept(5_000)).isNull();
    }

    @Test
    void afterAChangeEveryCallerIsReadAgain() {
        lookUp(0);

        cache.outdate();

        assertThat(kept(1)).isNull();
        lookUp(1);
        assertThat(lookUps).containsExactly(false, true);
        assertThat(kept(2)).isSameAs(caller);
    }

    @Test
    void aLookUpThatBeganBeforeAChangeIsNotKept() {
        Sinks.One<Caller> read = Sinks.one();
        answer = read.asMono();
        cache.lookUp(HASH, START).subscribe();

        cache.outdate();
        read.tryEmitValue(caller);

        assertThat(kept(1)).isNull();
    }

    @Test
    void aRequestThatFollowsAnAnswerIsLookedUpAnew() {
        cache.lookUp(HASH, START).doOnNext(answered -> lookUp(5_000)).block();

        assertThat(lookUps).hasSize(2);
    }

    @Test
    void aClockThatIsSetBackKeepsNoCaller() {
        lookUp(0);

        assertThat(kept(-1)).isNull();
    }

    private @Nullable Caller kept(long millis) {
        return cache.kept(HASH, START.plus(Duration.ofMillis(millis)));
    }

    private @Nullable Caller lookUp(long millis) {
        return cache.lookUp(HASH, START.plus(Duration.ofMillis(millis))).block();
    }
}
