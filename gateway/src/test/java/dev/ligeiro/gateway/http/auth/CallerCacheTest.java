package dev.ligeiro.gateway.http.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.merchant.MerchantLimits;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.AllowedNetworks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class CallerCacheTest {

    private static final String HASH = "hash";

    private final Caller caller = caller();

    private int lookUps;
    private Mono<Caller> answer = Mono.just(caller);
    private final TestClock clock = TestClock.frozen();
    private final Instant start = clock.instant();
    private final CallerCache cache = new CallerCache(
            hash -> {
                lookUps++;
                return answer;
            },
            clock);

    @Test
    void aCallerIsUsedForFiveSeconds() {
        assertThat(kept(0)).isNull();
        assertThat(lookUp(0)).isSameAs(caller);

        assertThat(kept(2_499)).isSameAs(caller);
        assertThat(lookUps).isEqualTo(1);
        answer = Mono.never();
        assertThat(kept(4_999)).isSameAs(caller);
        assertThat(kept(5_000)).isNull();
    }

    @Test
    void aCallerIsReadAgainOnceWhileItIsUsed() {
        lookUp(0);
        Sinks.One<Caller> refresh = Sinks.one();
        answer = refresh.asMono();

        kept(2_501);
        kept(2_600);
        assertThat(lookUps).isEqualTo(2);

        refresh.tryEmitError(new IllegalStateException("away"));
        answer = Mono.just(caller);
        lookUp(5_000);
        assertThat(kept(7_499)).isSameAs(caller);
        assertThat(lookUps).isEqualTo(3);
    }

    @Test
    void aRevokedKeyIsNotFoundWhenItIsReadAgain() {
        lookUp(0);
        answer = Mono.empty();

        assertThat(kept(2_501)).isSameAs(caller);

        assertThat(kept(2_502)).isNull();
        assertThat(lookUp(2_502)).isNull();
    }

    @Test
    void anUnknownKeyIsLookedUpOnce() {
        answer = Mono.empty();

        assertThat(lookUp(0)).isNull();
        assertThat(lookUp(1)).isNull();

        assertThat(lookUps).isEqualTo(1);
    }

    @Test
    void aFailureIsNotKept() {
        answer = Mono.error(new IllegalStateException("away"));
        assertThat(cache.lookUp(HASH).onErrorComplete().block()).isNull();

        answer = Mono.just(caller);
        assertThat(lookUp(1)).isSameAs(caller);
    }

    @Test
    void afterItsEndASessionsCallerIsReadAgain() {
        lookUp(0);

        cache.outdate(HASH);

        assertThat(kept(1)).isNull();
        lookUp(1);
        assertThat(kept(2)).isSameAs(caller);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReadThatBeganBeforeAChangeIsNotKept(boolean isRefresh) {
        if (isRefresh) {
            lookUp(0);
        }
        Sinks.One<Caller> read = Sinks.one();
        answer = read.asMono();
        moveTo(2_501);
        cache.kept(HASH);
        cache.lookUp(HASH).subscribe();

        cache.outdate(HASH);
        read.tryEmitValue(caller);

        assertThat(kept(2_502)).isNull();
    }

    /** Such as a slow MongoDB: a key that is revoked meanwhile must not be used for longer. */
    @Test
    void theTimeOfALookUpCounts() {
        Sinks.One<Caller> read = Sinks.one();
        answer = read.asMono();
        cache.lookUp(HASH).subscribe();
        clock.move(Duration.ofMillis(2_000));

        read.tryEmitValue(caller);

        answer = Mono.never();
        assertThat(kept(4_999)).isSameAs(caller);
        assertThat(kept(5_000)).isNull();
    }

    @Test
    void aRefreshCountsFromItsBeginning() {
        lookUp(0);
        Sinks.One<Caller> refresh = Sinks.one();
        answer = refresh.asMono();
        kept(2_501);
        clock.move(Duration.ofMillis(2_000));
        refresh.tryEmitValue(caller());

        answer = Mono.never();
        assertThat(kept(7_500)).isNotNull();
        assertThat(kept(7_501)).isNull();
    }

    /** Another gateway may revoke a key while this one's clock stands still or goes back. */
    @Test
    void aClockThatIsSetBackKeepsNoCallerForLonger() {
        lookUp(0);
        answer = Mono.never();
        kept(4_999);
        clock.move(Duration.ofHours(-1));
        assertThat(cache.kept(HASH)).isSameAs(caller);

        clock.move(Duration.ofMillis(1));

        assertThat(cache.kept(HASH)).isNull();
    }

    private @Nullable Caller kept(long millis) {
        moveTo(millis);
        return cache.kept(HASH);
    }

    private @Nullable Caller lookUp(long millis) {
        moveTo(millis);
        return cache.lookUp(HASH).block();
    }

    private void moveTo(long millis) {
        clock.move(Duration.between(clock.instant(), start.plusMillis(millis)));
    }

    private static Caller caller() {
        return new Caller(
                Tenant.of(7, Mode.TEST),
                UUID.randomUUID(),
                null,
                Set.of(),
                new AllowedNetworks(List.of()),
                Set.of(),
                Map.of(),
                null,
                null,
                null,
                MerchantLimits.NONE,
                new Caller.Receiver("LOJA", "SAO PAULO"),
                null);
    }
}
