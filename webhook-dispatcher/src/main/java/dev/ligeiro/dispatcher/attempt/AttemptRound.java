package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.delivery.CompletedDispatch;
import dev.ligeiro.dispatcher.delivery.PendingDispatch;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Makes many attempts at once and waits only so long for them, so that a slow endpoint holds up nobody: what is finished in time is
 * in the {@link Tally}, and so is what is still running or could not begin.
 */
@Component
public class AttemptRound {

    private final AttemptDelivery attempts;
    private final InFlight inFlight;
    private final Duration window;

    AttemptRound(AttemptDelivery attempts, InFlight inFlight, RoundProperties round, WebhookProperties webhook) {
        requireOutlasting(round, webhook);
        this.attempts = attempts;
        this.inFlight = inFlight;
        this.window = round.window();
    }

    /** A lease that an attempt can outlast would let two processes hold one delivery. */
    static void requireOutlasting(RoundProperties round, WebhookProperties webhook) {
        Duration least = webhook.totalTimeout().plus(round.window()).multipliedBy(2);
        if (round.lease().compareTo(least) < 0) {
            throw new IllegalArgumentException("lease: " + round.lease()
                    + " (expected: at least twice the total timeout and the window, " + least + ")");
        }
    }

    /**
     * Attempts {@code dispatches}, each endpoint's in their order.
     *
     * @param late is handed each attempt of {@link Tally#running} when it ends
     */
    public Mono<Tally> run(List<PendingDispatch> dispatches, Consumer<CompletedDispatch> late) {
        if (dispatches.isEmpty()) {
            return Mono.just(Tally.EMPTY);
        }
        return Mono.defer(() -> {
            RunningRound round = new RunningRound(dispatches, attempts::attempt, inFlight, late);
            round.start();
            return Mono.firstWithSignal(round.allEnded(), Mono.delay(window).then())
                    // off the client's threads: what follows is work on the whole batch
                    .publishOn(Schedulers.parallel())
                    .then(Mono.fromSupplier(round::close));
        });
    }

    /**
     * A round when its time is up.
     *
     * @param completed attempted
     * @param running being attempted
     * @param waiting not begun, and not going to be: their endpoints had no room
     */
    public record Tally(
            List<CompletedDispatch> completed, List<PendingDispatch> running, List<PendingDispatch> waiting) {

        static final Tally EMPTY = new Tally(List.of(), List.of(), List.of());
    }
}
