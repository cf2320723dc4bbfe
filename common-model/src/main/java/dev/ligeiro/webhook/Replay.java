package dev.ligeiro.webhook;

import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A replay of an endpoint's deliveries, and how far it is. During a step a gateway holds it by a lease; so another gateway continues where one
 * has died.
 *
 * @param tenant {@link Tenant#key}
 * @param position the {@link DeliveryId} of the last delivery, in the order of the list, that was looked at
 * @param looked the number of deliveries that were looked at
 * @param scheduled the number of deliveries that were scheduled again
 * @param leaseUntil null after its end
 */
public record Replay(
        UUID id,
        UUID endpoint,
        long tenant,
        ReplayRequest request,
        Instant createdAt,
        State state,
        byte[] position,
        long looked,
        long scheduled,
        @Nullable Instant leaseUntil) {

    /** A transaction is created before its events. The gateway that creates it and the processor may have different clocks. */
    private static final Duration CLOCKS_DIFFER_MAX = Duration.ofMinutes(5);

    public static Replay begin(UUID id, UUID endpointId, Tenant tenant, ReplayRequest request, Instant now) {
        byte[] position = newest(endpointId, request.to()).bytes();
        return new Replay(id, endpointId, tenant.key(), request, now, State.RUNNING, position, 0, 0, now);
    }

    /** An id that follows those of all transactions of the time. */
    private static DeliveryId newest(UUID endpointId, Instant to) {
        // no transaction is older than 1970, and a negative time would follow all others
        long millis = Math.max(0, to.plus(CLOCKS_DIFFER_MAX).toEpochMilli());
        UUID last = new UUID(millis << 16 | 0x7FFF, 0xBFFF_FFFF_FFFF_FFFFL);
        return new DeliveryId(endpointId, new EventId(new TransactionId(last), Integer.MAX_VALUE));
    }

    /** After a step that ended at {@code next}; null after the last step. */
    public Replay after(int lookedNow, long scheduledNow, @Nullable DeliveryId next) {
        return with(
                next == null ? State.DONE : State.RUNNING,
                next == null ? position : next.bytes(),
                looked + lookedNow,
                scheduled + scheduledNow);
    }

    public Replay canceled() {
        return with(State.CANCELED, position, looked, scheduled);
    }

    private Replay with(State newState, byte[] newPosition, long newLooked, long newScheduled) {
        return new Replay(
                id, endpoint, tenant, request, createdAt, newState, newPosition, newLooked, newScheduled, leaseUntil);
    }

    public enum State implements Coded {
        RUNNING,
        DONE,
        /** The endpoint was disabled or deleted. */
        CANCELED,
        /** A defect: a further try would fail too. */
        FAILED
    }
}
