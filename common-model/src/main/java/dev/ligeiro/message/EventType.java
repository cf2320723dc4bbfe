package dev.ligeiro.message;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Status;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The type of an event: the {@code type} of a webhook. Endpoints subscribe to types. */
public enum EventType implements Coded {
    CREATED("transaction.created"),
    PAID("transaction.paid"),
    DENIED("transaction.denied"),
    CANCELED("transaction.canceled"),
    REFUND("transaction.refund"),
    IN_PROCESS("transaction.in_process"),
    IN_ANALYSIS("transaction.in_analysis"),
    EXPIRED("transaction.expired"),
    REFUNDED_PARTIALLY("transaction.refunded_partially"),
    REFUND_FAILED("transaction.refund_failed"),
    DISPUTE_OPENED("dispute.opened"),
    DISPUTE_UPDATED("dispute.updated"),
    DISPUTE_CLOSED("dispute.closed"),
    PAYER_MISMATCH("transaction.payer_mismatch");

    /** The default subscription of an endpoint: every status change, not the creation. */
    public static final Set<EventType> STATUS_CHANGES = Collections.unmodifiableSet(EnumSet.range(PAID, EXPIRED));

    private final String code;

    EventType(String code) {
        this.code = code;
    }

    @Override
    public String code() {
        return code;
    }

    /**
     * The type of the event that announces {@code entry}.
     *
     * @throws IllegalArgumentException if the entry is not announced
     */
    public static EventType of(Entry entry) {
        if (entry instanceof Entry.RefundFailed) {
            return REFUND_FAILED;
        }
        if (entry instanceof Entry.PayerMismatch) {
            return PAYER_MISMATCH;
        }
        if (entry instanceof Entry.RefundMade made && !made.completes()) {
            return REFUNDED_PARTIALLY;
        }
        if (entry instanceof Entry.DisputeOpened) {
            return DISPUTE_OPENED;
        }
        if (entry instanceof Entry.DisputeUpdated || entry instanceof Entry.DisputeReleased) {
            return DISPUTE_UPDATED;
        }
        if (entry instanceof Entry.DisputeClosed) {
            return DISPUTE_CLOSED;
        }
        Status status = entry.newStatus();
        if (status == null) {
            throw new IllegalArgumentException(entry.getClass().getSimpleName() + " (expected: an announced entry)");
        }
        return of(status);
    }

    public static EventType of(Status status) {
        return switch (status) {
            case PENDING -> CREATED;
            case PAID -> PAID;
            case DENIED -> DENIED;
            case CANCELED -> CANCELED;
            case REFUND -> REFUND;
            case IN_PROCESS -> IN_PROCESS;
            case IN_ANALYSIS -> IN_ANALYSIS;
            case EXPIRED -> EXPIRED;
        };
    }
}
