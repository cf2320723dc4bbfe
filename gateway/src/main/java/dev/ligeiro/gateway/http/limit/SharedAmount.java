package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** An amount of which each owner may have a part, so that one of them does not take it from all others. */
public final class SharedAmount {

    private final long max;
    private final long perOwnerMax;
    private final Duration retryAfter;

    /** The amount of each owner; an owner with nothing has no entry. Guarded by this, as is the next field. */
    private final Map<Object, Long> taken = new HashMap<>();

    private long takenInAll;

    /** @param retryAfter of the problems */
    public SharedAmount(long max, long perOwnerMax, Duration retryAfter) {
        this.max = max;
        this.perOwnerMax = perOwnerMax;
        this.retryAfter = retryAfter;
    }

    /**
     * Takes {@code amount} until it is given back.
     *
     * @throws Problem 429 with the detail {@code ownerHas} when the owner would have more than its part, 503 with {@code allHave} when all
     *     together would have too much
     */
    public synchronized void take(Object owner, long amount, String ownerHas, String allHave) {
        long ofOwner = taken.getOrDefault(owner, 0L) + amount;
        if (ofOwner > perOwnerMax) {
            throw Problem.of(ProblemCode.RATE_LIMITED, ownerHas).retryAfter(retryAfter);
        }
        if (takenInAll + amount > max) {
            throw Problem.overloaded(allHave, retryAfter);
        }
        taken.put(owner, ofOwner);
        takenInAll += amount;
    }

    public synchronized void giveBack(Object owner, long amount) {
        takenInAll -= amount;
        taken.computeIfPresent(owner, (same, has) -> has == amount ? null : has - amount);
    }

    public synchronized long takenInAll() {
        return takenInAll;
    }
}
