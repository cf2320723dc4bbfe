package dev.ligeiro.infra.loadtest.ledger;

import static dev.ligeiro.transaction.Status.IN_PROCESS;
import static dev.ligeiro.transaction.Status.PAID;
import static dev.ligeiro.transaction.Status.PENDING;

import dev.ligeiro.message.EventType;
import dev.ligeiro.transaction.Status;
import java.util.List;
import java.util.Locale;

/** The kinds of calls that are made, and all that each is expected to bring about. */
public enum Call {
    /** A cashin that nobody pays. */
    PENDING_CASHIN(201, List.of(PENDING)),
    /** A cashin of cents that the simulated rail pays at once. */
    PAID_CASHIN(201, List.of(PENDING, PAID)),
    CASHOUT(201, List.of(PENDING, IN_PROCESS, PAID)),
    SHOW(200, List.of()),
    LIST_FIRST_PAGE(200, List.of()),
    LIST_LAST_PAGE(200, List.of());

    private static final Call[] CALLS = values();
    /** What an endpoint hears of by default starts after the creation. */
    private static final int FIRST_ANNOUNCED = 2;

    private final int status;
    private final List<Status> history;

    Call(int status, List<Status> history) {
        this.status = status;
        this.history = history;
    }

    public static Call of(byte ordinal) {
        return CALLS[ordinal];
    }

    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The HTTP status of its only right answer. */
    public int status() {
        return status;
    }

    /** The statuses that its transaction goes through, oldest first; empty when it makes none. */
    public List<Status> history() {
        return history;
    }

    public boolean creates() {
        return !history.isEmpty();
    }

    public boolean isCashin() {
        return this == PENDING_CASHIN || this == PAID_CASHIN;
    }

    /** Whether webhooks tell of its transaction. */
    public boolean isAnnounced() {
        return lastSequence() >= FIRST_ANNOUNCED;
    }

    /** Whether a webhook is to come for the change of this number. */
    public boolean isAnnounced(int sequence) {
        return sequence >= FIRST_ANNOUNCED && sequence <= lastSequence();
    }

    /** The number of its transaction's last change. */
    public int lastSequence() {
        return history.size();
    }

    /** The webhooks to come, a bit for each sequence. */
    public int webhookBits() {
        int bits = 0;
        for (int sequence = FIRST_ANNOUNCED; sequence <= lastSequence(); sequence++) {
            bits |= 1 << sequence;
        }
        return bits;
    }

    /** The {@code type} of the webhook that tells of the change of this number. */
    public EventType webhookType(int sequence) {
        return EventType.of(history.get(sequence - 1));
    }
}
