package dev.ligeiro.gateway.api.webhook.replay;

import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.DeliveryId;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A replay of an endpoint's deliveries, and how far it is.
 *
 * @param position the deliveries before it, in the order of the list, were looked at
 * @param looked the number of deliveries that were looked at
 * @param scheduled the number of deliveries that were scheduled again
 */
record Replay(
        UUID id,
        UUID endpointId,
        Tenant tenant,
        ReplayRequest request,
        Instant createdAt,
        State state,
        DeliveryId position,
        long looked,
        long scheduled) {

    /** A transaction is created before its events. The gateway that creates it and the processor may have different clocks. */
    private static final Duration CLOCKS_DIFFER_MAX = Duration.ofMinutes(5);

    static Replay begin(UUID id, UUID endpointId, Tenant tenant, ReplayRequest request, Instant now) {
        return new Replay(id, endpointId, tenant, request, now, State.RUNNING, newest(endpointId, request.to()), 0, 0);
    }

    /** An id that follows those of all transactions of the time. */
    private static DeliveryId newest(UUID endpointId, Instant to) {
        // no transaction is older than 1970, and a negative time would follow all others
        long millis = Math.max(0, to.plus(CLOCKS_DIFFER_MAX).toEpochMilli());
        UUID last = new UUID(millis << 16 | 0x7FFF, 0xBFFF_FFFF_FFFF_FFFFL);
        return new DeliveryId(endpointId, new EventId(new TransactionId(last), Integer.MAX_VALUE));
    }

    /** After a step that ended at {@code next}; null after the last step. */
    Replay after(int lookedNow, long scheduledNow, @Nullable DeliveryId next) {
        return new Replay(
                id,
                endpointId,
                tenant,
                request,
                createdAt,
                next == null ? State.DONE : State.RUNNING,
                next == null ? position : next,
                looked + lookedNow,
                scheduled + scheduledNow);
    }

    Replay canceled() {
        return new Replay(id, endpointId, tenant, request, createdAt, State.CANCELED, position, looked, scheduled);
    }

    /** Whether it has ended. */
    enum State implements Coded {
        RUNNING("running"),
        DONE("done"),
        /** The endpoint was disabled or deleted. */
        CANCELED("canceled");

        private static final Codes<State> CODES = new Codes<>(State.class);

        private final String code;

        State(String code) {
            this.code = code;
        }

        @Override
        public String code() {
            return code;
        }

        static State fromCode(String code) {
            return CODES.get(code);
        }
    }
}
