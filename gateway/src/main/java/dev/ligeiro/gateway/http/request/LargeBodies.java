package dev.ligeiro.gateway.http.request;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The places of bodies above 4 KiB that are under way. One sender has at most an eighth of them, so that a merchant with slow or
 * unfinished requests does not take them from all others.
 */
final class LargeBodies {

    private static final int SHARES = 8;
    /** Of a heap so small that an eighth would be less. */
    private static final int SHARE_MIN = 4;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final int max;
    private final int perSenderMax;
    /** Taken places; a sender without any has no entry. */
    private final Map<Object, Integer> taken = new HashMap<>();

    private int takenInAll;

    LargeBodies(int max) {
        this.max = max;
        this.perSenderMax = Math.max(SHARE_MIN, max / SHARES);
    }

    int perSenderMax() {
        return perSenderMax;
    }

    /** @throws Problem 429 when the sender has its share, 503 when all places are taken */
    synchronized void take(Object sender) {
        int ofSender = taken.getOrDefault(sender, 0);
        if (ofSender >= perSenderMax) {
            throw Problem.of(
                            ProblemCode.RATE_LIMITED,
                            "At most " + perSenderMax + " of your bodies above 4 KiB may be under way at once")
                    .retryAfter(RETRY_AFTER);
        }
        if (takenInAll >= max) {
            throw Problem.overloaded("Too many large bodies are under way", RETRY_AFTER);
        }
        taken.put(sender, ofSender + 1);
        takenInAll++;
    }

    synchronized void giveBack(Object sender) {
        taken.computeIfPresent(sender, (same, count) -> count == 1 ? null : count - 1);
        takenInAll--;
    }
}
