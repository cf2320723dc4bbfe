package dev.ligeiro.gateway.http.html;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * Refuses forms that a page of another origin has sent: every browser sends {@code Origin} with a POST, and no page can choose it (Fetch
 * Standard §3.2). So no form needs a token of its own.
 */
public final class SameOrigin {

    private SameOrigin() {}

    /**
     * @param baseUrl the configured public address of this port, since a proxy may replace the {@code Host}; {@code ""} if none is configured
     * @throws Problem 403 if the form comes from elsewhere, or the request does not say from where
     */
    public static void require(ServerRequest request, String baseUrl) {
        @Nullable String origin = request.headers().firstHeader(HttpHeaders.ORIGIN);
        boolean isOwn = origin != null
                && !origin.isEmpty()
                && (origin.equals(baseUrl)
                        || origin.replaceFirst("^https?://", "")
                                .equals(request.headers().firstHeader(HttpHeaders.HOST)));
        if (!isOwn) {
            throw Problem.of(ProblemCode.FOREIGN_ORIGIN, "The form must be sent by a page of this address");
        }
    }
}
