package dev.ligeiro.gateway.http.connection;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServerRequest;

/** Checks what HTTP demands of a request's head and the server does not check (RFC 9112 §3.2). */
final class RequestHead {

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
        if (!isHost(hosts.next())) {
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

    /** A host name with underscores is allowed, since containers have such names. */
    private static boolean isHost(String host) {
        for (int i = 0; i < host.length(); i++) {
            char character = host.charAt(i);
            boolean isAllowed = character >= 'a' && character <= 'z'
                    || character >= 'A' && character <= 'Z'
                    || character >= '-' && character <= ':' && character != '/'
                    || character == '_'
                    || character == '['
                    || character == ']';
            if (!isAllowed) {
                return false;
            }
        }
        return !host.isEmpty();
    }
}
