package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.webhook.DeliveryId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries of a lane that this process has in memory and the number of attempts that may run at once. A
 * delivery waits, then its attempt runs, then its result is written. At most two batches of attempts are in memory. Not thread-safe.
 */
final class LaneWindow {

    private final int max;
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

    LaneWindow(int max, boolean isFailing) {
        this.max = max;
        this.size = isFailing ? 1 : max;
    }

    /**
     * Begins a read of due deliveries; {@link #add} takes its result. No attempt may start until then.
     *
     * @return how many to read: those that are held are still due in MongoDB
     */
    int beginRead() {
        heldAtRead = Set.copyOf(held);
        return held.size() + DispatcherMemoryBudget.WINDOW_BATCHES * size;
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
        return running >= size || held.size() >= DispatcherMemoryBudget.WINDOW_BATCHES * size ? null : waiting.peek();
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
        size = Math.min(max, 2 * size);
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
