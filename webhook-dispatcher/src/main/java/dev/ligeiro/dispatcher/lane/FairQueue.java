package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.transaction.Tenant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * The fair queue in which lanes wait to start attempts. The tenant with the fewest running attempts starts the next one, among equal ones
 * the one that has waited longest; the lanes of a tenant take turns. So tenants whose endpoints respond slowly share the permits that the
 * others leave, and a lane with a large backlog, or a tenant with many lanes, delays the others by one attempt. Not thread-safe.
 */
final class FairQueue<L> {

    private static final Comparator<Place> ORDER =
            Comparator.comparingInt(Place::running).thenComparingInt(Place::order);

    /** The tenant that has waited longest first, and so its lanes. */
    private final Map<Tenant, Deque<L>> waiting = new LinkedHashMap<>();

    private final ToIntFunction<Tenant> running;

    /** @param running gives the number of a tenant's running attempts */
    FairQueue(ToIntFunction<Tenant> running) {
        this.running = running;
    }

    /**
     * A tenant that may be next.
     *
     * @param running the number of its running attempts
     * @param order the place among tenants with as many
     */
    private record Place(Tenant tenant, int running, int order) {}

    /** Adds a lane that has deliveries to attempt; does nothing if it is there. */
    void add(Tenant tenant, L lane) {
        Deque<L> lanes = waiting.computeIfAbsent(tenant, any -> new ArrayDeque<>());
        if (!lanes.contains(lane)) {
            lanes.add(lane);
        }
    }

    void remove(Tenant tenant, L lane) {
        waiting.computeIfPresent(tenant, (any, lanes) -> {
            lanes.remove(lane);
            return lanes.isEmpty() ? null : lanes;
        });
    }

    /**
     * Starts attempts until no lane can start one.
     *
     * @param start starts one attempt of a lane; false if the lane cannot now. It may add and remove lanes
     */
    void startAll(Predicate<L> start) {
        PriorityQueue<Place> next = new PriorityQueue<>(ORDER);
        int order = 0;
        for (Tenant tenant : waiting.keySet()) {
            next.add(new Place(tenant, running.applyAsInt(tenant), order++));
        }
        while (!next.isEmpty()) {
            Tenant tenant = next.remove().tenant();
            if (startOne(tenant, start)) {
                next.add(new Place(tenant, running.applyAsInt(tenant), order++));
            }
        }
    }

    private boolean startOne(Tenant tenant, Predicate<L> start) {
        for (L lane : List.copyOf(Objects.requireNonNullElseGet(waiting.get(tenant), ArrayDeque::new))) {
            if (start.test(lane)) {
                moveToTheEnd(tenant, lane);
                return true;
            }
        }
        return false;
    }

    private void moveToTheEnd(Tenant tenant, L lane) {
        Deque<L> lanes = waiting.remove(tenant);
        if (lanes != null) {
            if (lanes.remove(lane)) {
                lanes.addLast(lane);
            }
            waiting.put(tenant, lanes);
        }
    }
}
