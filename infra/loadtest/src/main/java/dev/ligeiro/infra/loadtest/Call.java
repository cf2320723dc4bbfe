package dev.ligeiro.infra.loadtest;

import static dev.ligeiro.transaction.Status.IN_PROCESS;
import static dev.ligeiro.transaction.Status.PAID;
import static dev.ligeiro.transaction.Status.PENDING;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.ligeiro.message.EventType;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Status;
import java.util.List;
import java.util.Locale;

/** The kinds of calls, each with the HTTP status, the history and the webhooks that must follow from it. */
enum Call implements Coded {
    /** A cashin that stays pending. */
    PENDING_CASHIN(201, PENDING),
    /** A cashin whose amount makes the simulated rail pay it at once. */
    PAID_CASHIN(201, PENDING, PAID),
    CASHOUT(201, PENDING, IN_PROCESS, PAID),
    SHOW(200),
    LIST_FIRST_PAGE(200),
    LIST_LAST_PAGE(200),
    /** The first page of each of the queries in turn. */
    LIST_FILTERED(200);

    /** An endpoint is sent every status change by default, but not the creation, which has sequence 1. */
    private static final int FIRST_ANNOUNCED = 2;

    private final int status;
    private final List<Status> history;

    Call(int status, Status... history) {
        this.status = status;
        this.history = List.of(history);
    }

    @Override
    @JsonValue
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The HTTP status of a correct response. */
    int status() {
        return status;
    }

    /** The statuses of its transaction, oldest first; empty when the call creates none. */
    List<Status> history() {
        return history;
    }

    boolean creates() {
        return !history.isEmpty();
    }

    /** Whether webhooks announce changes of its transaction. */
    boolean isAnnounced() {
        return lastSequence() >= FIRST_ANNOUNCED;
    }

    /** The number of its transaction's last change. */
    int lastSequence() {
        return history.size();
    }

    /** The expected webhooks: bit n is set for the change with sequence n. */
    int webhookBits() {
        return creates() ? (1 << lastSequence() + 1) - (1 << FIRST_ANNOUNCED) : 0;
    }

    /** The {@code type} of the webhook that announces the change with this number; empty when no webhook does. */
    String webhookType(int sequence) {
        boolean announced = sequence >= FIRST_ANNOUNCED && sequence <= lastSequence();
        return announced ? EventType.of(history.get(sequence - 1)).code() : "";
    }
}
