package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.support.problem.FieldError;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the field {@code headers}: the merchant's own headers, which are sent with each webhook. {@code authorization} is allowed,
 * since receivers behind a proxy often need it. Headers that belong to the connection, the body, the signature or a cloud's metadata
 * service are not: they would change what is sent or to whom.
 */
final class HeaderFields {

    static final int HEADERS_MAX = 10;
    private static final int NAME_MAX = 64;
    private static final int VALUE_MAX = 1_000;

    private static final String FIELD = "headers";

    /** A token (RFC 9110 §5.6.2). */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1," + NAME_MAX + "}");

    /** Printable ASCII: no line break or other control character, and no character that receivers decode in different ways. */
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7E]{1," + VALUE_MAX + "}");

    private static final Set<String> RESERVED_NAMES = Set.of(
            "accept-encoding",
            "connection",
            "date",
            "expect",
            "forwarded",
            "host",
            "http2-settings",
            "keep-alive",
            "metadata",
            "metadata-flavor",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "user-agent",
            "via");

    private static final Set<String> RESERVED_PREFIXES = Set.of(
            "content-",
            "proxy-",
            "webhook-",
            "x-amz-",
            "x-amzn-",
            "x-aws-",
            "x-azure-",
            "x-fd-",
            "x-forwarded-",
            "x-gfe",
            "x-goog-",
            "x-google");

    private HeaderFields() {}

    /** The given headers by their names in lower case; empty where the value is null. Invalid ones are added to the errors. */
    static Map<String, Optional<String>> read(Fields fields) {
        Map<String, Optional<String>> headers = new LinkedHashMap<>();
        JsonNode node = fields.node(FIELD);
        if (node == null) {
            return headers;
        }
        if (!(node instanceof ObjectNode object)) {
            fields.reject(FieldError.wrongType(FIELD, "an object of names and values"));
            return headers;
        }
        if (object.size() > 2 * HEADERS_MAX) {
            fields.reject(tooMany());
            return headers;
        }
        object.properties().forEach(header -> read(fields, header.getKey(), header.getValue(), headers));
        if (object.valueStream().filter(value -> !value.isNull()).count() > HEADERS_MAX) {
            fields.reject(tooMany());
        }
        return headers;
    }

    static FieldError tooMany() {
        return FieldError.invalid(FIELD, "expected at most " + HEADERS_MAX + " headers");
    }

    private static void read(Fields fields, String given, JsonNode value, Map<String, Optional<String>> headers) {
        String name = given.toLowerCase(Locale.ROOT);
        if (!NAME.matcher(given).matches()) {
            fields.reject(FieldError.invalid(
                    FIELD,
                    "expected names of 1 to " + NAME_MAX
                            + " letters, digits, hyphens and other HTTP token characters"));
        } else if (isReserved(name)) {
            fields.reject(FieldError.invalid(FIELD + "." + name, "expected another name: this one is reserved"));
        } else if (headers.containsKey(name)) {
            fields.reject(FieldError.invalid(FIELD + "." + name, "expected at most once, in upper or lower case"));
        } else if (value.isNull()) {
            headers.put(name, Optional.empty());
        } else if (!value.isString()) {
            fields.reject(FieldError.wrongType(FIELD + "." + name, "a string"));
        } else if (!VALUE.matcher(value.stringValue()).matches() || !isTrimmed(value.stringValue())) {
            fields.reject(FieldError.invalid(
                    FIELD + "." + name,
                    "expected 1 to " + VALUE_MAX + " printable ASCII characters, without spaces at the ends"));
        } else {
            headers.put(name, Optional.of(value.stringValue()));
        }
    }

    private static boolean isReserved(String name) {
        return RESERVED_NAMES.contains(name) || RESERVED_PREFIXES.stream().anyMatch(name::startsWith);
    }

    /** HTTP drops spaces at the ends of a value (RFC 9110 §5.5). */
    private static boolean isTrimmed(String value) {
        return value.strip().length() == value.length();
    }
}
