package dev.ligeiro.dispatcher.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.transaction.Tenant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FairQueueTest {

    private static final Tenant BUSY = new Tenant(2);
    private static final Tenant OTHER = new Tenant(4);

    private final Map<Tenant, Integer> running = new HashMap<>();
    private final FairQueue<String> queue = new FairQueue<>(tenant -> running.getOrDefault(tenant, 0));
    private final Map<String, Integer> backlog = new HashMap<>();
    private final List<String> started = new ArrayList<>();
    private int permits = 100;

    @Test
    void tenantsTakeTurnsThenTheirLanes() {
        add(BUSY, "a", 3);
        add(BUSY, "b", 3);
        add(OTHER, "c", 3);
        queue.startAll(this::start);
        assertThat(started).containsExactly("a", "c", "b", "c", "a", "c", "b", "a", "b");
    }

    @Test
    void aPlaceIsNotLostWhenThePermitsAreUsedUp() {
        add(BUSY, "a", 9);
        add(BUSY, "b", 9);
        add(OTHER, "c", 9);
        for (int i = 0; i < 6; i++) {
            permits = 1;
            queue.startAll(this::start);
        }
        assertThat(started).containsExactly("a", "c", "b", "c", "a", "c");
    }

    /** Its endpoints respond slowly, so it has many running attempts; a freed permit goes to a tenant with fewer. */
    @Test
    void theTenantWithTheFewestRunningAttemptsIsNext() {
        running.put(BUSY, 128);
        add(BUSY, "a", 9);
        add(OTHER, "c", 3);
        permits = 4;
        queue.startAll(this::start);
        assertThat(started).containsExactly("c", "c", "c", "a");
    }

    @Test
    void aLaneThatCannotStartDoesNotTakeThePlaceOfItsTenant() {
        add(BUSY, "full", 0);
        add(BUSY, "b", 1);
        queue.startAll(this::start);
        assertThat(started).containsExactly("b");
    }

    @Test
    void aLaneThatWasRemovedStartsNoAttempt() {
        add(BUSY, "a", 1);
        queue.remove(BUSY, "a");
        queue.startAll(this::start);
        assertThat(started).isEmpty();
    }

    private void add(Tenant tenant, String lane, int deliveries) {
        backlog.put(lane, deliveries);
        queue.add(tenant, lane);
    }

    private boolean start(String lane) {
        if (permits == 0 || backlog.getOrDefault(lane, 0) == 0) {
            return false;
        }
        permits--;
        backlog.merge(lane, -1, Integer::sum);
        started.add(lane);
        return true;
    }
}
