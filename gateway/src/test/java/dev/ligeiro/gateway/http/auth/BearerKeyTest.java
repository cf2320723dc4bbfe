package dev.ligeiro.gateway.http.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Mode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class BearerKeyTest {

    private static final String KEY = "sk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDE_-";

    @ParameterizedTest
    @EnumSource
    void aGeneratedKeyHasTheForm(Mode mode) {
        String key = ApiKey.generate(mode);

        assertThat(BearerKey.of("Bearer " + key)).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer " + KEY, "bearer " + KEY, "BEARER   " + KEY + " "})
    void theSchemeIsNotCaseSensitive(String authorization) {
        assertThat(BearerKey.of(authorization)).isEqualTo(KEY);
    }

    /** So that the hash of a key is never that of a session. */
    @Test
    void aSessionIsLookedUpByItsOwnKindOfHash() {
        String token = BearerKey.of("Bearer cs_" + "A".repeat(43));

        assertThat(BearerKey.hash(token)).isEqualTo("cs_" + ConsoleSession.hash("A".repeat(43)));
        assertThat(BearerKey.hash(KEY)).isEqualTo(ApiKey.hash(KEY));
    }

    /** Nothing is looked up for them. */
    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "Bearer",
                "Bearer ",
                "Basic " + KEY,
                KEY,
                "Bearer " + KEY + "x",
                "Bearer x" + KEY,
                "Bearer " + KEY + " " + KEY,
                "Bearer sk_live_",
                "Bearer cs_0123456789",
                "Bearer SK_TEST_0123456789abcdefghijklmnopqrstuvwxyzABCDE_-",
                "Bearer sk_demo_0123456789abcdefghijklmnopqrstuvwxyzABCDE_-",
                "Bearer sk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDE_ ",
                "Bearer sk_test_0123456789 bcdefghijklmnopqrstuvwxyzABCDE_-",
                "Bearer sk_test_0123456789ãbcdefghijklmnopqrstuvwxyzABCDE_-",
                "Bearer sk_test_0123456789+bcdefghijklmnopqrstuvwxyzABCDE_-",
                "Bearer sk_test_0123456789\nbcdefghijklmnopqrstuvwxyzABCDE_-",
                "Bearer {\"$gt\":\"\"}",
            })
    void anyOtherFormIsUnauthorized(@Nullable String authorization) {
        assertThatExceptionOfType(Problem.class)
                .isThrownBy(() -> BearerKey.of(authorization))
                .satisfies(problem -> {
                    assertThat(problem.code()).isEqualTo(ProblemCode.UNAUTHORIZED);
                    assertThat(problem.detail()).doesNotContain("0123456789");
                });
    }
}
