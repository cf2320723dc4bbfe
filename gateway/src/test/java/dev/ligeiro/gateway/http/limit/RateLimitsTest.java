package dev.ligeiro.gateway.http.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ligeiro.gateway.http.limit.RateLimits.RateLimitProperties;
import dev.ligeiro.merchant.MerchantLimits;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.server.ServerRequest;

/** Two reads and one write a second of a key, three and two of a merchant, in bursts of 10 s. */
class RateLimitsTest {

    private static final UUID KEY = UUID.randomUUID();
    private static final UUID OTHER_KEY = UUID.randomUUID();
    private static final Tenant TENANT = Tenant.of(1, Mode.TEST);

    private final TestClock clock = TestClock.frozen();
    private final RateLimits limits = new RateLimits(new RateLimitProperties(true, 2, 1, 3, 2), clock);

    @Test
    void theHeadersSayWhatIsLeft() {
        assertThat(write(KEY).policy).isEqualTo("\"key-writes\";q=10;w=10, \"merchant-writes\";q=20;w=10");
        assertThat(write(KEY).left).isEqualTo("\"key-writes\";r=8;t=2, \"merchant-writes\";r=18;t=1");
    }

    @Test
    void aKeyAtItsLimitIsRefusedAndTakesNothingFromItsMerchant() {
        write(KEY, 10);

        Answer refused = write(KEY);

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.problem().headers()).containsEntry("Retry-After", "1");
        assertThat(refused.problem().detail()).isEqualTo("At most 1 such requests a second, and 10 at once");
        assertThat(refused.left).isEqualTo("\"key-writes\";r=0;t=10");
        assertThat(write(OTHER_KEY).left).startsWith("\"key-writes\";r=9;").contains("\"merchant-writes\";r=9;");
    }

    @Test
    void theKeysOfAMerchantShareItsLimit() {
        write(KEY, 10);
        write(OTHER_KEY, 10);

        Answer refused = write(UUID.randomUUID());

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.left).isEqualTo("\"key-writes\";r=9;t=1, \"merchant-writes\";r=0;t=10");
    }

    @Test
    void aClockThatIsSetBackStopsNothing() {
        write(KEY, 10);
        clock.move(Duration.ofMinutes(-5));
        assertThat(write(KEY).status()).isEqualTo(429);

        clock.move(Duration.ofSeconds(1));

        assertThat(write(KEY).status()).isEqualTo(200);
    }

    @Test
    void readsAndWritesAreApart() {
        write(KEY, 10);

        assertThat(count(HttpMethod.GET, KEY, TENANT, MerchantLimits.NONE).left)
                .isEqualTo("\"key-reads\";r=19;t=1, \"merchant-reads\";r=29;t=1");
        assertThat(count(HttpMethod.DELETE, KEY, TENANT, MerchantLimits.NONE).status())
                .isEqualTo(429);
    }

    @Test
    void merchantsAndModesAreApart() {
        write(KEY, 10);
        write(OTHER_KEY, 10);

        for (Tenant other : List.of(Tenant.of(1, Mode.LIVE), Tenant.of(2, Mode.TEST))) {
            assertThat(count(HttpMethod.POST, UUID.randomUUID(), other, MerchantLimits.NONE).left)
                    .contains("\"merchant-writes\";r=19;");
        }
    }

    @Test
    void aMerchantWithALimitOfItsOwnHasThatOneOnly() {
        MerchantLimits own = new MerchantLimits(Map.of(), null, 5);

        Answer first = count(HttpMethod.POST, KEY, TENANT, own);

        assertThat(first.policy).isEqualTo("\"merchant-writes\";q=50;w=10");
        assertThat(first.left).isEqualTo("\"merchant-writes\";r=49;t=1");
        assertThat(count(HttpMethod.GET, KEY, TENANT, own).policy).startsWith("\"key-reads\";q=20;w=10");
    }

    @Test
    void whenOffNothingIsCounted() {
        RateLimits off = new RateLimits(new RateLimitProperties(false, 1, 1, 1, 1), clock);
        MockServerWebExchange exchange = exchange(HttpMethod.POST);
        for (int i = 0; i < 5; i++) {
            off.count(ServerRequest.create(exchange, List.of()), KEY, TENANT, MerchantLimits.NONE);
        }

        assertThat(exchange.getResponse().getHeaders().isEmpty()).isTrue();
    }

    private void write(UUID key, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(write(key).status()).isEqualTo(200);
        }
    }

    private Answer write(UUID key) {
        return count(HttpMethod.POST, key, TENANT, MerchantLimits.NONE);
    }

    private Answer count(HttpMethod method, UUID key, Tenant tenant, MerchantLimits own) {
        MockServerWebExchange exchange = exchange(method);
        Problem problem = catchThrowableOfType(
                Problem.class, () -> limits.count(ServerRequest.create(exchange, List.of()), key, tenant, own));
        HttpHeaders headers = exchange.getResponse().getHeaders();
        return new Answer(problem, headers.getFirst("RateLimit-Policy"), headers.getFirst("RateLimit"));
    }

    private static MockServerWebExchange exchange(HttpMethod method) {
        return MockServerWebExchange.from(MockServerHttpRequest.method(method, "/"));
    }

    /** @param refusal null for a request that was counted */
    private record Answer(@Nullable Problem refusal, @Nullable String policy, @Nullable String left) {

        int status() {
            return refusal == null ? 200 : refusal.code().status().value();
        }

        Problem problem() {
            assertThat(refusal).isNotNull();
            return Objects.requireNonNull(refusal);
        }
    }
}
