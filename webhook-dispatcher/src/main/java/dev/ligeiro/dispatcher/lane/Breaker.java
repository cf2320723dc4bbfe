package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breaker of an endpoint. Pure: its state is the {@link Health} in the lane's document, which all dispatchers share and
 * which survives a restart.
 *
 * @param failuresMax the number of failures in a row that opens it
 * @param openMin how long it is open at first; each further opening doubles it
 * @param openMax the longest time that it is open, unless the endpoint asks for a longer pause
 * @param disableAfter the time without a success after which the next failure disables the endpoint
 */
public record Breaker(int failuresMax, Duration openMin, Duration openMax, Duration disableAfter) {

    /** A time-out holds a connection for as long as thousands of other failures, so two of them open a breaker of ten failures. */
    private static final int TIMED_OUT_WEIGHT = 5;

    /** Doubling 5 s this often gives 6 days. */
    private static final int DOUBLINGS_MAX = 16;

    /** Whether no attempt may be made at {@code now}. */
    static boolean isOpen(Health health, Instant now) {
        return health.openUntil() != null && health.openUntil().isAfter(now);
    }

    /** Whether the endpoint has failed so often that, when not open, it gets one attempt at a time. */
    boolean isFailing(Health health) {
        return health.openUntil() != null || health.failures() >= failuresMax;
    }

    /**
     * Whether first attempts may be made from memory: the endpoint is healthy and quick. A backlog in the lane does not matter: otherwise,
     * after a pause of this process, each new event of a busy endpoint would take the lane, which costs two more writes, and the backlog
     * might never end.
     */
    public boolean isFree(@Nullable Lane lane, Instant now) {
        if (lane == null) {
            return true;
        }
        boolean slow = lane.slowUntil() != null && lane.slowUntil().isAfter(now);
        return !slow && !isFailing(lane.health());
    }

    /** How many failures {@code outcome} counts as. */
    static int weight(AttemptOutcome outcome) {
        return switch (outcome) {
            // the delivery's own fault
            case DELIVERED, UNSENDABLE -> 0;
            case TIMED_OUT -> TIMED_OUT_WEIGHT;
            case REDIRECTED, GONE, THROTTLED, REJECTED, UNREACHABLE, TLS_FAILED, DISCONNECTED, REFUSED_ADDRESS -> 1;
        };
    }

    /**
     * The health after an attempt that ended at {@code now}.
     *
     * @param pause how long the endpoint wants no attempt; null if it asked for no pause
     */
    Health after(Health health, AttemptOutcome outcome, @Nullable Duration pause, Instant now) {
        if (outcome == AttemptOutcome.DELIVERED) {
            return Health.GOOD;
        }
        if (weight(outcome) == 0) {
            return health;
        }
        int failures = health.failures() + weight(outcome);
        Instant since = health.failingSince() == null ? now : health.failingSince();
        Health failed = new Health(failures, health.openings(), health.openUntil(), since);
        boolean opens = !isOpen(health, now) && (isFailing(health) || failures >= failuresMax);
        Health after = opens ? opened(failed, now.plus(openFor(health.openings()))) : failed;
        return pause == null ? after : paused(after, now.plus(pause));
    }

    /** Attempts that run at once get about the same pause: only a much longer one counts as another opening. */
    private Health paused(Health health, Instant until) {
        Instant openUntil = health.openUntil();
        boolean isLonger = openUntil == null || until.isAfter(openUntil.plus(openMin));
        return isLonger ? opened(health, until) : health;
    }

    private static Health opened(Health health, Instant until) {
        return new Health(health.failures(), health.openings() + 1, until, health.failingSince());
    }

    /** Whether the endpoint has failed for so long that it is disabled. The time before it was enabled does not count. */
    boolean isDisabling(Health health, Instant enabledSince, Instant now) {
        Instant failingSince = health.failingSince();
        if (failingSince == null) {
            return false;
        }
        Instant since = failingSince.isAfter(enabledSince) ? failingSince : enabledSince;
        return !since.plus(disableAfter).isAfter(now);
    }

    /**
     * When the lane must be looked at again: with its next delivery, but not before an attempt is allowed. Without a scheduled delivery it is
     * kept as long as its history matters, then deleted: null. A failing endpoint is remembered beyond the time after which its next failure
     * disables it.
     */
    @Nullable
    Instant dueAt(Lane lane, @Nullable Instant nextAttempt, Instant now) {
        Instant openUntil = lane.health().openUntil();
        if (nextAttempt != null) {
            return openUntil != null && openUntil.isAfter(nextAttempt) ? openUntil : nextAttempt;
        }
        Instant failingSince = lane.health().failingSince();
        Instant keptUntil = failingSince == null ? lane.slowUntil() : failingSince.plus(disableAfter.multipliedBy(2));
        return keptUntil != null && keptUntil.isAfter(now) ? keptUntil : null;
    }

    private Duration openFor(int openings) {
        Duration doubled = openMin.multipliedBy(1L << Math.min(openings, DOUBLINGS_MAX));
        return doubled.compareTo(openMax) > 0 ? openMax : doubled;
    }
}
