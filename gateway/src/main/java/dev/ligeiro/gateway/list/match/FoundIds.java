package dev.ligeiro.gateway.list.match;

import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ids that a walk has found, the highest first.
 *
 * @param reached matches with lower ids have not been looked for; null: there are none
 */
record FoundIds(List<TransactionId> ids, @Nullable TransactionId reached) {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(3);

    /**
     * These ids, if the walk has not given up.
     *
     * @param limit how many ids the walk was to find
     * @throws Problem 503 if it has read as many keys as it may
     */
    FoundIds orThrow(int limit) {
        if (reached != null && ids.size() < limit) {
            throw Problem.unavailable(
                    "The page would take too long to find, because so few transactions match all filters. Narrow the dates",
                    RETRY_AFTER);
        }
        return this;
    }
}
