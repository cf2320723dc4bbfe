package dev.ligeiro.gateway.http.connection;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Iterator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServerRequest;

/** Checks what HTTP demands of a request's head and the server does not check (RFC 9112 §3.2). */
final class RequestHead {

    /** A host name with underscores is allowed, since containers have such names. */
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(:[0-9]{0,5})?");

    private RequestHead() {}

    /** What is wrong with the head, for the client; null when nothing is. */
    static @Nullable String fault(HttpServerRequest request) {
        if (!isAscii(request.uri())) {
            return "The request target is not a valid URI: percent-encode it";
        }
        Iterator<String> hosts = request.requestHeaders().valueStringIterator(HttpHeaderNames.HOST);
        if (!hosts.hasNext()) {
            return request.version().compareTo(HttpVersion.HTTP_1_1) < 0 ? null : "Send one Host header";
        }
        if (!HOST.matcher(hosts.next()).matches()) {
            return "The Host header is not a host name or an IP address with an optional port";
        }
        return hosts.hasNext() ? "Send one Host header" : null;
    }

    private static boolean isAscii(String target) {
        for (int i = 0; i < target.length(); i++) {
            char character = target.charAt(i);
            if (character <= ' ' || character > '~') {
                return false;
            }
        }
        return true;
    }
}
