package dev.ligeiro.message;

import dev.ligeiro.transaction.Tenant;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What the headers of a record of {@link Topics#EVENTS} say: whose event it is, and its type. By them a reader passes over an
 * event that nobody wants without reading it. They repeat what the event says; where they are missing, it has to be read.
 */
public final class EventHeaders {

    public static final String TENANT = "tenant";
    public static final String TYPE = "event-type";

    private EventHeaders() {}

    public static byte[] value(Tenant tenant) {
        return Long.toString(tenant.key()).getBytes(StandardCharsets.US_ASCII);
    }

    public static byte[] value(EventType type) {
        return type.code().getBytes(StandardCharsets.US_ASCII);
    }

    /** The tenant that {@link #value(Tenant)} wrote, null where it wrote nothing of the kind. */
    public static @Nullable Tenant tenant(byte @Nullable [] value) {
        try {
            return value == null ? null : new Tenant(Long.parseLong(text(value)));
        } catch (IllegalArgumentException notOurs) {
            return null;
        }
    }

    /** The type that {@link #value(EventType)} wrote, null where it is none that this version knows. */
    public static @Nullable EventType type(byte @Nullable [] value) {
        return value == null ? null : EventType.findByCode(text(value)).orElse(null);
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.US_ASCII);
    }
}
