package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.InFlight;
import dev.ligeiro.dispatcher.attempt.StoreAttempts;
import org.springframework.stereotype.Component;

/** What this process must finish before it ends: attempts, the writes of their results, and claimed lanes. */
@Component
class UnfinishedWork {

    private final ClaimedLanes claimed;
    private final StoreAttempts results;
    private final InFlight inFlight;

    UnfinishedWork(ClaimedLanes claimed, StoreAttempts results, InFlight inFlight) {
        this.claimed = claimed;
        this.results = results;
        this.inFlight = inFlight;
    }

    /** Starts no further attempt of a lane, and gives back those without a running attempt. May be called again. */
    void finish() {
        claimed.stop();
    }

    boolean isFinished() {
        return inFlight.total() == 0 && results.idle() && claimed.count() == 0;
    }
}
