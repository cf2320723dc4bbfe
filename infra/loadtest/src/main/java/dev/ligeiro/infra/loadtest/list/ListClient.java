package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.Waits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Asks for pages of lists. A refusal (429, 503) is asked again after {@code Retry-After}, for a bounded time. */
final class ListClient {

    private static final int REFUSED = 429;
    private static final int UNAVAILABLE = 503;

    private final Api api;
    private final Duration waitMax;

    /** @param waitMax from the first request to the last one */
    ListClient(Api api, Duration waitMax) {
        this.api = api;
        this.waitMax = waitMax;
    }

    /**
     * Empty when all requests were refused.
     *
     * @param path of the page, or its URL
     */
    Optional<TimedPage> get(String path) {
        long startedAt = System.nanoTime();
        int unavailable = 0;
        while (true) {
            Answer answer = api.get(path);
            Duration took = Duration.ofNanos(System.nanoTime() - startedAt);
            if (answer.status() != REFUSED && answer.status() != UNAVAILABLE) {
                return Optional.of(TimedPage.of(answer.expect(200).json(), took, unavailable));
            }
            unavailable += answer.status() == UNAVAILABLE ? 1 : 0;
            if (took.compareTo(waitMax) > 0) {
                return Optional.empty();
            }
            Waits.until(System.nanoTime() + TimeUnit.SECONDS.toNanos(retryAfter(answer)));
        }
    }

    /** @throws CannotRunException when all requests were refused */
    TimedPage require(String path) {
        return get(path)
                .orElseThrow(() -> new CannotRunException("a list was refused for " + waitMax.toSeconds() + " s"));
    }

    private static long retryAfter(Answer answer) {
        String seconds = answer.header("Retry-After");
        if (seconds.isEmpty()) {
            throw new CannotRunException(answer.request() + ": " + answer.status() + " without Retry-After");
        }
        return Long.parseLong(seconds);
    }
}
