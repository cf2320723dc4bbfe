package dev.ligeiro.support.kafka;

import dev.ligeiro.message.Origin;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Writes and reads the {@link Origin} of a record in its headers. A record without these headers is as valid as one with them. */
public final class OriginHeaders {

    private OriginHeaders() {}

    public static void add(Headers headers, Origin origin) {
        add(headers, Origin.REQUEST_ID, origin.requestId());
        add(headers, Origin.TRACE_PARENT, origin.traceParent());
    }

    public static Origin of(Headers headers) {
        return Origin.of(text(headers, Origin.REQUEST_ID), text(headers, Origin.TRACE_PARENT));
    }

    private static void add(Headers headers, String name, @Nullable String value) {
        if (value != null) {
            headers.add(name, value.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static @Nullable String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.US_ASCII);
    }
}
