package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.ligeiro.transaction.Status;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What an event tells a merchant: the {@code type} of a webhook and what an endpoint subscribes to. */
public enum EventType {
    CREATED("transaction.created"),
    PAID("transaction.paid"),
    DENIED("transaction.denied"),
    CANCELED("transaction.canceled"),
    REFUND("transaction.refund"),
    IN_PROCESS("transaction.in_process"),
    IN_ANALYSIS("transaction.in_analysis"),
    EXPIRED("transaction.expired");

    /** What an endpoint hears of unless it says otherwise: every status change, not the creation. */
    public static final Set<EventType> STATUS_CHANGES =
            Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(CREATED)));

    private static final EventType[] TYPES = values();

    private final String word;

    EventType(String word) {
        this.word = word;
    }

    @JsonValue
    public String word() {
        return word;
    }

    /** The type that {@code word} names, or empty. */
    public static Optional<EventType> ofWord(String word) {
        for (EventType type : TYPES) {
            if (type.word.equals(word)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    /** The type of the event that announces a move to {@code status}. */
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
