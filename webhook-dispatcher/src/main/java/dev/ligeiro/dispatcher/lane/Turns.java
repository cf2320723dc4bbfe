package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.transaction.Tenant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The order in which lanes start attempts: tenants take turns, and the lanes of a tenant take turns within it; a turn is one attempt. So
 * a lane with a large backlog, or a tenant with many lanes, delays the others by one attempt. Not thread-safe.
 */
final class Turns<L> {

    /** The tenant that has waited longest first, and so its lanes. */
    private final Map<Tenant, Deque<L>> waiting = new LinkedHashMap<>();

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
     * Gives turns until no lane starts an attempt.
     *
     * @param start starts one attempt of a lane; false if the lane cannot now. It may add and remove lanes
     */
    void take(Predicate<L> start) {
        boolean started;
        do {
            started = false;
            for (Tenant tenant : new ArrayList<>(waiting.keySet())) {
                started |= takeOne(tenant, start);
            }
        } while (started);
    }

    private boolean takeOne(Tenant tenant, Predicate<L> start) {
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
