package dev.ligeiro.gateway.http;

import dev.ligeiro.support.problem.Problem;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The problem of a request whose outcome is unknown, because MongoDB did not answer in time.
 *
 * @param effect what the request may have done, such as {@code The transaction may have been stored}
 * @param check where the client finds out, such as {@code list your transactions by reference}
 */
public record UnknownOutcome(String effect, String check) {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    Problem problem(@Nullable String key, Throwable cause) {
        String advice = key == null
                ? ". Before you repeat the request, " + check
                        + "; a request with an Idempotency-Key can be repeated safely"
                : ". Repeat the request with the same Idempotency-Key";
        return Problem.unavailable(effect + advice, RETRY_AFTER, cause);
    }
}
