package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.transaction.Tenant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The waiting calls of one account, in the order in which they start. Inquiries are first: they are few, they free the money of unknown
 * outcomes, and they may wait for less time. Then submissions and calls of no transaction take turns, and so do the tenants of the
 * submissions: however many calls one tenant has, the first call of another waits for one of each. Not thread-safe.
 */
final class CallQueue<C> {

    private final Deque<C> inquiries = new ArrayDeque<>();
    /** Calls of no transaction, such as those that make payload locations. */
    private final Deque<C> general = new ArrayDeque<>();
    /** The tenant whose turn is next first. */
    private final Map<Tenant, Deque<C>> submissions = new LinkedHashMap<>();

    private boolean isTurnOfGeneral;
    private int size;

    /** @param tenant null for a call of no transaction */
    void add(RailCallKind kind, @Nullable Tenant tenant, C call) {
        if (kind != RailCallKind.SUBMIT) {
            inquiries.add(call);
        } else if (tenant == null) {
            general.add(call);
        } else {
            submissions.computeIfAbsent(tenant, first -> new ArrayDeque<>()).add(call);
        }
        size++;
    }

    /** The call that starts next; null when none waits. */
    @Nullable
    C first() {
        return line().peek();
    }

    void removeFirst() {
        Deque<C> line = line();
        line.remove();
        size--;
        if (line == inquiries) {
            return;
        }
        isTurnOfGeneral = line != general;
        if (line != general) {
            Tenant tenant = submissions.keySet().iterator().next();
            submissions.remove(tenant);
            if (!line.isEmpty()) {
                submissions.put(tenant, line);
            }
        }
    }

    int size() {
        return size;
    }

    private Deque<C> line() {
        if (!inquiries.isEmpty()) {
            return inquiries;
        }
        boolean isGeneral = submissions.isEmpty() || isTurnOfGeneral && !general.isEmpty();
        return isGeneral ? general : submissions.values().iterator().next();
    }
}
