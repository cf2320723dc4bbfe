package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.http.WebhookProperties;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Makes a round of attempts in parallel and waits at most for the round's window, so that a slow endpoint does not delay the other
 * deliveries of the batch. The {@link RoundResult} lists the completed, the running and the unstarted attempts.
 *
 * <p>One thread starts the attempts of all rounds. Two rounds may run at once: the permit of an attempt that has ended goes to the next
 * delivery of the same round and endpoint.
 */
@Component
public class AttemptRound implements DisposableBean {

    private final AttemptDelivery attempts;
    private final InFlight inFlight;
    private final Duration window;
    private final Scheduler thread = Schedulers.newSingle("webhook-rounds", true);

    AttemptRound(AttemptDelivery attempts, InFlight inFlight, RoundProperties round, WebhookProperties webhook) {
        requireOutlasting(round, webhook);
        this.attempts = attempts;
        this.inFlight = inFlight;
        this.window = round.window();
    }

    /** If an attempt could outlast its lease, two processes could hold the same delivery. */
    static void requireOutlasting(RoundProperties round, WebhookProperties webhook) {
        Duration leaseMin = webhook.totalTimeout().plus(round.window()).multipliedBy(2);
        if (round.lease().compareTo(leaseMin) < 0) {
            throw new IllegalArgumentException("ligeiro.webhook.round.lease: " + round.lease()
                    + " (expected: at least twice the total timeout and the window, " + leaseMin + ")");
        }
    }

    /**
     * Attempts {@code dispatches}, starting those of one endpoint in their order.
     *
     * @param mayStart false if no further attempt may start
     * @param late receives each attempt of {@link RoundResult#running} when it ends
     */
    public Mono<RoundResult> run(List<Dispatch> dispatches, BooleanSupplier mayStart, Consumer<Completed> late) {
        if (dispatches.isEmpty()) {
            return Mono.just(RoundResult.EMPTY);
        }
        return Mono.defer(() -> {
                    RunningRound round = new RunningRound(dispatches, this::attempt, inFlight, mayStart, late);
                    return Mono.firstWithSignal(
                                    round.start(), Mono.delay(window, thread).then())
                            .then(Mono.fromSupplier(round::close))
                            .doOnCancel(round::cancel);
                })
                .subscribeOn(thread)
                // the next steps process the whole batch
                .publishOn(Schedulers.parallel());
    }

    private Mono<Completed> attempt(Dispatch dispatch) {
        return attempts.attempt(dispatch).publishOn(thread);
    }

    @Override
    public void destroy() {
        thread.dispose();
    }

    /**
     * The result of a round when it has ended or its window is over.
     *
     * @param completed the attempts that have ended
     * @param running the deliveries whose attempt is still running
     * @param notStarted the deliveries that this round does not attempt: a limit of {@link InFlight} was reached, too many attempts of their
     *     endpoint have failed in a row, the endpoint has asked for a pause, the window is over, or no further attempt may start
     */
    public record RoundResult(List<Completed> completed, List<Dispatch> running, List<Dispatch> notStarted) {

        static final RoundResult EMPTY = new RoundResult(List.of(), List.of(), List.of());
    }
}
