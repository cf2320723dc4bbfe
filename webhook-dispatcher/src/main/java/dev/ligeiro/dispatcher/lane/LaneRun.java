package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.dispatcher.attempt.AttemptDelivery;
import dev.ligeiro.dispatcher.attempt.Attempts;
import dev.ligeiro.dispatcher.attempt.CompleteAttempts;
import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.dispatcher.attempt.DeliveryMetrics;
import dev.ligeiro.dispatcher.attempt.DeliveryStore;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.attempt.EndpointStore;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The work of this process on one lane that it has claimed: reads the due deliveries, attempts them, has the results stored, and gives the
 * lane back when no delivery is due or the circuit breaker opens. The deliveries of a feed are numbered, those of a deleted or disabled
 * endpoint are canceled.
 *
 * <p>All methods run on the thread of {@link Attempts}. {@link #step} decides what is next. It is called after each answer of MongoDB, each
 * ended attempt and each refresh of the lane.
 */
final class LaneRun extends Attempts.Source {

    private static final Logger LOG = LoggerFactory.getLogger(LaneRun.class);
    private static final Duration PAUSE = Duration.ofSeconds(2);
    /** A canceled delivery costs MongoDB about 0.1 ms. */
    private static final int CANCEL_MAX = 1000;

    private final Shared shared;
    private final IntSupplier payloadsMax;
    private final Consumer<LaneRun> ended;
    private final Breaker breaker;
    private final Window window;
    private final Instant begunAt;

    private Lane lane;
    private Phase phase = Phase.DELIVERING;
    /** MongoDB may be asked from this time on; {@code Instant.MAX} while it is being asked. */
    private Instant askFrom = Instant.MIN;

    /** From STOPPING only LOST can follow, and LOST never changes. */
    private enum Phase {
        /** Further deliveries may be due. */
        DELIVERING,
        /** None was due at the last check. */
        DRAINED,
        /** This process stops, or other lanes wait: the lane is handed over as soon as no attempt is running. */
        STOPPING,
        /** This process has lost the lane, or must not release it: it is left as soon as no attempt is running. */
        LOST
    }

    /** What the work on all lanes shares. */
    @Component
    record Shared(
            LaneStore lanes,
            EndpointStore endpoints,
            DeliveryStore deliveries,
            FeedStore feeds,
            Attempts attempts,
            AttemptDelivery delivery,
            CompleteAttempts results,
            DeliveryMetrics metrics,
            Clock clock,
            LaneProperties properties,
            WebhookProperties webhook) {}

    /**
     * @param payloadsMax how many payloads this lane may read before their attempts
     * @param ended is told when this process no longer works on the lane
     */
    LaneRun(Lane lane, Shared shared, IntSupplier payloadsMax, Consumer<LaneRun> ended) {
        super(lane.tenant(), lane.endpointId());
        this.lane = lane;
        this.shared = shared;
        this.payloadsMax = payloadsMax;
        this.ended = ended;
        this.breaker = shared.properties().breaker();
        UUID endpointId = lane.endpointId();
        this.window = new Window(() -> shared.attempts().window(endpointId), breaker.isFailing(lane.health()));
        this.begunAt = now();
    }

    private Instant now() {
        return shared.clock().instant();
    }

    Lane lane() {
        return lane;
    }

    Instant begunAt() {
        return begunAt;
    }

    /** Whether no further attempt may start. */
    boolean isEnding() {
        return phase == Phase.STOPPING || phase == Phase.LOST;
    }

    private boolean mayAsk() {
        return !now().isBefore(askFrom);
    }

    private void noteMoreDue(boolean more) {
        if (!isEnding()) {
            phase = more ? Phase.DELIVERING : Phase.DRAINED;
        }
    }

    /** Offers a waiting delivery to {@link Attempts}, or reads the due deliveries, or gives the lane back. */
    void step() {
        boolean stopped = isEnding() || Breaker.isOpen(lane.health(), now());
        if (stopped) {
            window.forgetWaiting();
        }
        if (window.hasWaiting()) {
            shared.attempts().ready(this);
            return;
        }
        if (!mayAsk()) {
            return;
        }
        if (!stopped && phase == Phase.DELIVERING) {
            read();
        } else if (window.holdsNothing()) {
            end();
        }
    }

    // the due deliveries

    /** Reads the endpoint, whose URL or secret may have changed, and its due deliveries. */
    private void read() {
        Instant now = now();
        int limit = window.beginRead();
        Mono<Runnable> check = shared.endpoints()
                .find(lane.endpointId())
                .flatMap(found -> found.map(endpoint -> check(endpoint, now, limit))
                        // it cannot be decoded: its deliveries wait until a process can
                        .orElseGet(() -> Mono.just(this::leave)))
                .switchIfEmpty(Mono.defer(() -> cancelSome(now)));
        ask(check, Runnable::run);
    }

    /** Gives the next step. */
    private Mono<Runnable> check(WebhookEndpoint endpoint, Instant now, int limit) {
        if (!endpoint.status().isEnabled()) {
            return cancelSome(now);
        }
        if (endpoint.isFeed()) {
            return shared.feeds().number(endpoint.id(), now).map(more -> () -> goOn(more));
        }
        return shared.deliveries().due(endpoint, now, limit).flatMap(due -> {
            boolean more = due.size() == limit;
            return withPayloads(window.notHeld(due)).map(next -> () -> {
                window.add(next);
                goOn(more);
            });
        });
    }

    /**
     * Reads the payloads of the first deliveries, as many as fit into memory. The others are read while their attempts count as
     * running, which leaves fewer of the endpoint's places to first attempts: an endpoint with a backlog would never leave its lane.
     */
    private Mono<List<Dispatch>> withPayloads(List<Dispatch> due) {
        int withPayload = Math.min(due.size(), payloadsMax.getAsInt());
        return Flux.fromIterable(due.subList(0, withPayload))
                .flatMapSequential(shared.delivery()::withPayload, Math.max(1, withPayload))
                .concatWith(Flux.fromIterable(due.subList(withPayload, due.size())))
                .collectList();
    }

    private Mono<Runnable> cancelSome(Instant now) {
        return shared.deliveries()
                .cancel(lane.endpointId(), CANCEL_MAX, now)
                .doOnNext(count -> shared.metrics().count(DeliveryStatus.CANCELED, count))
                .map(count -> () -> {
                    lane = new Lane(
                            lane.endpointId(),
                            lane.tenant(),
                            lane.dueAt(),
                            lane.lease(),
                            Health.GOOD,
                            null,
                            lane.marks());
                    // the next step reads the endpoint again: its merchant may have enabled it meanwhile
                    goOn(count > 0);
                });
    }

    private void goOn(boolean more) {
        noteMoreDue(more);
        step();
    }

    /** Ends the work and keeps the claim, so that the deliveries are tried again after the lease ends, by any process. */
    private void leave() {
        phase = Phase.LOST;
        step();
    }

    /** Waits for MongoDB. After a failure the next refresh calls {@link #step}. */
    private <T> void ask(Mono<T> question, Consumer<T> then) {
        askFrom = Instant.MAX;
        question.subscribe(
                answer -> shared.attempts().execute(() -> {
                    askFrom = Instant.MIN;
                    then.accept(answer);
                }),
                failure -> shared.attempts().execute(() -> pause(failure)));
    }

    private void pause(Throwable failure) {
        askFrom = now().plus(PAUSE);
        LoggedMerchant.add(LOG.atWarn().addKeyValue("event.action", "lane_failed"), lane.tenant())
                .addKeyValue("endpoint_id", lane.endpointId())
                .addKeyValue("cause", String.valueOf(failure))
                .log("A lane could not be read or written; it is tried again");
    }

    // the attempts

    @Override
    protected Attempts.@Nullable Pending take() {
        Dispatch next = window.next();
        // the lease must outlast the attempt: otherwise another process could attempt the same delivery at the same
        // time
        Instant startBefore = lane.lease() == null
                ? Instant.MIN
                : lane.lease().until().minus(shared.webhook().attemptMax());
        if (next == null || !startBefore.isAfter(now())) {
            return null;
        }
        window.started();
        if (!window.hasWaiting()) {
            step();
        }
        return new Retry(next, startBefore);
    }

    private final class Retry extends Attempts.Pending {

        private final DeliveryId id;

        private Retry(Dispatch due, Instant startBefore) {
            super(due, startBefore);
            this.id = due.id();
        }

        @Override
        protected void ended(Completed completed) {
            shared.results().store(completed, next -> shared.attempts().execute(() -> written(id)));
            attempted(completed);
        }

        @Override
        protected void notStarted(Throwable reason) {
            forget(id, reason);
        }
    }

    private void attempted(Completed completed) {
        AttemptOutcome outcome = completed.outcome();
        Health health = breaker.after(lane.health(), outcome, completed.pause(), now());
        lane = lane.with(health);
        window.ended();
        if (outcome == AttemptOutcome.DELIVERED) {
            window.grow();
        } else if (outcome == AttemptOutcome.TIMED_OUT || breaker.isFailing(health)) {
            window.shrink();
        }
        WebhookEndpoint endpoint = completed.dispatch().endpoint();
        if (Breaker.weight(outcome) > 0
                && breaker.isDisabling(health, endpoint.status().since(), now())) {
            shared.results().disable(endpoint, DisabledReason.FAILING);
        }
        step();
    }

    /** The result is stored, or dropped. */
    private void written(DeliveryId id) {
        window.written(id);
        step();
    }

    /**
     * The payload could not be read, or not in time; nothing is stored. The same would happen to the waiting deliveries, so all are read again
     * after a pause, or after the read that is under way.
     */
    private void forget(DeliveryId id, Throwable reason) {
        window.ended();
        window.written(id);
        window.forgetWaiting();
        noteMoreDue(true);
        if (mayAsk()) {
            pause(reason);
        }
        step();
    }

    // the claim

    /**
     * Replaces the cached lane with the stored one. Forgets the waiting deliveries if the endpoint has changed, so that they are read again.
     *
     * @param stored null if another process has claimed the lane or it is gone
     * @param version of the endpoint; null if it was deleted
     */
    void refresh(@Nullable Lane stored, @Nullable Integer version) {
        if (window.forgetOutdated(version)) {
            noteMoreDue(true);
        }
        refresh(stored);
    }

    private void refresh(@Nullable Lane stored) {
        if (stored == null) {
            boolean asking = askFrom.equals(Instant.MAX);
            if (!asking && phase != Phase.LOST) {
                lost();
            }
            phase = Phase.LOST;
        } else {
            if (stored.marks() != lane.marks()) {
                noteMoreDue(true);
            }
            lane = stored.with(lane.health());
        }
        step();
    }

    private void lost() {
        LoggedMerchant.add(LOG.atWarn().addKeyValue("event.action", "lane_lost"), lane.tenant())
                .addKeyValue("endpoint_id", lane.endpointId())
                .log("Another process has claimed a lane; its lease had ended");
        shared.metrics().countLostLeases(1);
    }

    /** Ends the work once the running attempts have ended. */
    void stop() {
        if (phase != Phase.LOST) {
            phase = Phase.STOPPING;
        }
        step();
    }

    /**
     * Gives the lane back. It is due again with its next delivery, but not before its breaker allows an attempt; at once if it is handed over.
     *
     * <p>No delivery is missed. The read may miss a delivery that is being stored; its writer marks the lane afterwards. If the mark comes
     * before the release, the release does nothing. If it comes after the release, it makes the lane due, and creates it if it was deleted.
     */
    private void end() {
        if (phase == Phase.LOST) {
            ended.accept(this);
            return;
        }
        // its marks are those from before the read, also if the lane is refreshed meanwhile
        Lane known = lane;
        if (isEnding()) {
            release(known, now());
            return;
        }
        ask(
                shared.deliveries()
                        .nextAttempt(lane.endpointId())
                        .map(Optional::of)
                        .defaultIfEmpty(Optional.empty()),
                next -> {
                    Instant dueAt = breaker.dueAt(known, next.orElse(null), now());
                    if (next.isPresent() && dueAt != null && !dueAt.isAfter(now())) {
                        goOn(true);
                    } else {
                        release(known, dueAt);
                    }
                });
    }

    private void release(Lane known, @Nullable Instant dueAt) {
        ask(shared.lanes().release(known, dueAt), released -> {
            if (released) {
                ended.accept(this);
            } else {
                // it was marked since, or another process has claimed it
                ask(
                        shared.lanes().claimed(Set.of(lane.endpointId()), now()),
                        found -> refresh(found.get(lane.endpointId())));
            }
        });
    }

    /**
     * The deliveries of a lane that this process has in memory and the number of attempts that may run at once. A
     * delivery waits, then its attempt runs, then its result is written. At most two batches of attempts are in memory. Not thread-safe.
     */
    static final class Window {

        private final IntSupplier max;
        /** The attempts that may run at once: 1 after a time-out or while the endpoint fails; each success doubles it. */
        private int size;

        private final Deque<Dispatch> waiting = new ArrayDeque<>();

        /** The deliveries whose attempt is running or whose result is not written yet. */
        private final Set<DeliveryId> held = new HashSet<>();
        /**
         * The deliveries that were held when the last read of due deliveries began. The read may still return them as due, because their
         * results may be written while it runs. They must not be attempted again.
         */
        private volatile Set<DeliveryId> heldAtRead = Set.of();

        private int running;

        /** @param max the attempts to the endpoint that may run at once, first ones included */
        Window(IntSupplier max, boolean isFailing) {
            this.max = max;
            this.size = isFailing ? 1 : max.getAsInt();
        }

        private int size() {
            return Math.min(size, max.getAsInt());
        }

        /**
         * Begins a read of due deliveries; {@link #add} takes its result. No attempt may start until then.
         *
         * @return how many to read: those that are held are still due in MongoDB
         */
        int beginRead() {
            heldAtRead = Set.copyOf(held);
            return held.size() + DispatcherMemoryBudget.WINDOW_BATCHES * size();
        }

        /** The deliveries among {@code due} that were not held when the read began. Any thread may call it. */
        List<Dispatch> notHeld(Collection<Dispatch> due) {
            Set<DeliveryId> excluded = heldAtRead;
            return due.stream()
                    .filter(delivery -> !excluded.contains(delivery.id()))
                    .toList();
        }

        /** Adds deliveries that wait for their attempt, except those that are or were held. */
        void add(Collection<Dispatch> due) {
            waiting.addAll(notHeld(due));
        }

        boolean hasWaiting() {
            return !waiting.isEmpty();
        }

        void forgetWaiting() {
            waiting.clear();
        }

        /**
         * Forgets the waiting deliveries if they were read with another version of the endpoint than {@code current}, which is null if the
         * endpoint was deleted. They are still due in MongoDB.
         *
         * @return whether it has forgotten them
         */
        boolean forgetOutdated(@Nullable Integer current) {
            Dispatch first = waiting.peek();
            if (first == null || Objects.equals(first.endpoint().version(), current)) {
                return false;
            }
            waiting.clear();
            return true;
        }

        /** The delivery whose attempt may start; null if none may now. */
        @Nullable
        Dispatch next() {
            int atOnce = size();
            return running >= atOnce || held.size() >= DispatcherMemoryBudget.WINDOW_BATCHES * atOnce
                    ? null
                    : waiting.peek();
        }

        /** The attempt of {@link #next} has started. */
        void started() {
            held.add(waiting.remove().id());
            running++;
        }

        void ended() {
            running--;
        }

        void grow() {
            size = Math.min(max.getAsInt(), 2 * size);
        }

        void shrink() {
            size = 1;
        }

        void written(DeliveryId id) {
            held.remove(id);
        }

        /** Whether no attempt is running and no result is unwritten. */
        boolean holdsNothing() {
            return held.isEmpty();
        }
    }
}
