package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.dispatcher.http.TooManyLookups;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Makes the first attempts of a batch of deliveries in parallel and waits at most for the window, so that a slow endpoint does not delay the
 * other deliveries. The {@link Result} lists the completed, the running and the unstarted attempts.
 *
 * <p>One thread starts the attempts of all batches and receives their results, so a batch needs no locks. Several batches run at once: the
 * permit of an attempt that has ended goes to the next delivery of the same batch and endpoint.
 */
@Component
public class AttemptBatch implements DisposableBean {

    /** After so many failures in a row the rest of a line is left to the endpoint's lane, which has a circuit breaker. */
    private static final int FAILURES_MAX = 10;

    private final AttemptDelivery attempts;
    private final InFlight inFlight;
    private final Duration window;
    private final Scheduler thread = Schedulers.newSingle("webhook-batches", true);

    AttemptBatch(AttemptDelivery attempts, InFlight inFlight, WebhookProperties properties) {
        this.attempts = attempts;
        this.inFlight = inFlight;
        this.window = properties.batchWindow();
    }

    /**
     * The result when all attempts have ended or the window is over.
     *
     * @param completed the attempts that have ended
     * @param running the deliveries whose attempt is still running
     * @param notStarted the deliveries that this batch does not attempt: a limit of {@link InFlight} was reached, too many attempts of their
     *     endpoint have failed in a row, the endpoint has asked for a pause, no thread is free for its DNS lookup, the
     *     window is over, or no further attempt may start
     */
    public record Result(List<Completed> completed, List<Dispatch> running, List<Dispatch> notStarted) {

        static final Result EMPTY = new Result(List.of(), List.of(), List.of());
    }

    /**
     * Attempts {@code dispatches}, starting those of one endpoint in their order.
     *
     * @param mayStart false if no further attempt may start
     * @param late receives each attempt of {@link Result#running} when it ends
     */
    public Mono<Result> run(List<Dispatch> dispatches, BooleanSupplier mayStart, Consumer<Completed> late) {
        if (dispatches.isEmpty()) {
            return Mono.just(Result.EMPTY);
        }
        return Mono.defer(() -> {
                    Running batch = new Running(dispatches, this::attempt, inFlight, mayStart, late);
                    return Mono.firstWithSignal(
                                    batch.start(), Mono.delay(window, thread).then())
                            .then(Mono.fromSupplier(batch::close))
                            .doOnCancel(batch::cancel);
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

    /** The deliveries to one endpoint that wait. */
    private static final class Line {

        private final WebhookEndpoint endpoint;
        private final Deque<Dispatch> waiting = new ArrayDeque<>();
        private int failures;
        /** The endpoint wants no further attempt for a while, or its DNS lookup has found no thread. */
        private boolean paused;

        private Line(WebhookEndpoint endpoint) {
            this.endpoint = endpoint;
        }

        private boolean hasNext() {
            return !waiting.isEmpty() && !paused && failures < FAILURES_MAX;
        }

        private void count(Completed result) {
            failures = result.outcome() == AttemptOutcome.DELIVERED ? 0 : failures + 1;
            paused |= result.pause() != null;
        }
    }

    /**
     * A batch under way. It has a line of deliveries per endpoint; when an attempt ends, the next one of its line starts, unless too many have
     * failed in a row or the endpoint has asked for a pause. All methods but {@link #cancel} run on the thread of the batches.
     */
    static final class Running {

        private final Function<Dispatch, Mono<Completed>> attempt;
        private final InFlight inFlight;
        private final BooleanSupplier mayStart;
        private final Consumer<Completed> late;

        private final Map<UUID, Line> lines = new LinkedHashMap<>();
        /** Lines that got no permit of {@link InFlight}; any attempt that ends may free one for them. */
        private final Set<Line> blocked = new LinkedHashSet<>();

        private final Set<Dispatch> running = Collections.newSetFromMap(new IdentityHashMap<>());
        private final List<Completed> completed = new ArrayList<>();
        private final Sinks.Empty<Void> allEnded = Sinks.empty();
        private int responses;
        private boolean closed;
        private volatile boolean canceled;

        /**
         * @param attempt makes one attempt; gives its result on the thread of the batches, {@link TooManyLookups}, or another error when the process
         *     stops
         * @param mayStart false if no further attempt may start
         * @param late receives each attempt that ends after {@link #close}
         */
        Running(
                List<Dispatch> dispatches,
                Function<Dispatch, Mono<Completed>> attempt,
                InFlight inFlight,
                BooleanSupplier mayStart,
                Consumer<Completed> late) {
            this.attempt = attempt;
            this.inFlight = inFlight;
            this.mayStart = mayStart;
            this.late = late;
            for (Dispatch dispatch : dispatches) {
                lines.computeIfAbsent(dispatch.endpoint().id(), id -> new Line(dispatch.endpoint()))
                        .waiting
                        .add(dispatch);
            }
        }

        /** Completes when no attempt runs and no further one can start. Endpoints at their limit do not delay it. */
        Mono<Void> start() {
            lines.values().forEach(this::start);
            endIfNothingRuns();
            return allEnded.asMono();
        }

        private void start(Line line) {
            while (line.hasNext() && !canceled && mayStart.getAsBoolean()) {
                if (!inFlight.tryAcquire(line.endpoint)) {
                    blocked.add(line);
                    return;
                }
                Dispatch next = line.waiting.remove();
                running.add(next);
                attempt.apply(next).subscribe(result -> ended(line, result), failure -> {
                    if (failure instanceof TooManyLookups) {
                        notStarted(line, next);
                    }
                });
            }
        }

        private void ended(Line line, Completed result) {
            inFlight.release(line.endpoint);
            running.remove(result.dispatch());
            if (closed) {
                late.accept(result);
                return;
            }
            completed.add(kept(result));
            line.count(result);
            start(line);
            startOneOfBlocked();
            endIfNothingRuns();
        }

        private Completed kept(Completed result) {
            if (result.attempt().response() == null) {
                return result;
            }
            return responses++ < DispatcherMemoryBudget.BATCH_RESPONSES_MAX ? result : result.withoutResponse();
        }

        /** The endpoint's lane makes this attempt and the rest of the line; after the window, when the lease ends. */
        private void notStarted(Line line, Dispatch dispatch) {
            inFlight.release(line.endpoint);
            if (closed) {
                return;
            }
            running.remove(dispatch);
            line.waiting.addFirst(dispatch);
            line.paused = true;
            startOneOfBlocked();
            endIfNothingRuns();
        }

        private void startOneOfBlocked() {
            blocked.stream().findFirst().ifPresent(line -> {
                blocked.remove(line);
                start(line);
            });
        }

        /** Before the end every blocked line is tried again: another batch, or a lane, may have given a permit back. */
        private void endIfNothingRuns() {
            if (running.isEmpty()) {
                List<Line> lastTry = List.copyOf(blocked);
                blocked.clear();
                lastTry.forEach(this::start);
            }
            if (running.isEmpty()) {
                allEnded.tryEmitEmpty();
            }
        }

        /** Starts no further attempts, because nobody waits for the result. Any thread may call it. */
        void cancel() {
            canceled = true;
        }

        /** Starts no further attempts and gives the result. */
        Result close() {
            closed = true;
            List<Dispatch> notStarted = lines.values().stream()
                    .flatMap(line -> line.waiting.stream())
                    .toList();
            return new Result(List.copyOf(completed), List.copyOf(running), notStarted);
        }
    }
}
