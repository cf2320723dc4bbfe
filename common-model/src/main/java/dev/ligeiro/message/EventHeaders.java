package dev.ligeiro.message;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Tenant;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a record of {@link Topics#EVENTS}: the tenant and the type of the event. A consumer can skip an event by its
 * headers without decoding it. They repeat the event's content; a record without them must be decoded: it is a {@link TransactionEvent}.
 */
public final class EventHeaders {

    public static final String TENANT = "tenant";
    public static final String TYPE = "event-type";

    private EventHeaders() {}

    public static byte[] value(Tenant tenant) {
        return Long.toString(tenant.key()).getBytes(StandardCharsets.US_ASCII);
    }

    /** @param type an {@link EventType} or a {@link BookEvent.Type} */
    public static byte[] value(Coded type) {
        return type.code().getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether the value is that of a {@link BookEvent}. */
    public static boolean isForBooks(byte @Nullable [] value) {
        return value != null && Codes.find(BookEvent.Type.class, text(value)).isPresent();
    }

    /** Parses the value of {@link #value(Tenant)}; null for any other value. */
    public static @Nullable Tenant tenant(byte @Nullable [] value) {
        try {
            return value == null ? null : new Tenant(Long.parseLong(text(value)));
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    /** Parses the value of {@link #value(Coded)}; null for a type that this version does not know. */
    public static @Nullable EventType type(byte @Nullable [] value) {
        return value == null ? null : Codes.find(EventType.class, text(value)).orElse(null);
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.US_ASCII);
    }
}
