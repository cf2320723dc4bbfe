package dev.ligeiro.gateway.operator.console;

import dev.ligeiro.gateway.operator.admin.AdminToken;
import dev.ligeiro.gateway.operator.admin.Operator;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.http.HttpCookie;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * Sessions of operators. The cookie has the operator's name and the session's end, signed by a key that is the operator's own token: every
 * gateway knows it, nothing is stored, and a token that is changed or removed ends its sessions.
 */
@Component
class OperatorSessions {

    static final Duration LENGTH = Duration.ofHours(8);

    private static final String COOKIE = "ligeiro_operator";
    private static final String PURPOSE = "ligeiro console session";
    private static final Pattern FORM = Pattern.compile("([a-z0-9._-]{1,40})\\.([0-9]{1,12})\\.([A-Za-z0-9_-]{43})");

    private final AdminToken tokens;
    private final Clock clock;

    OperatorSessions(AdminToken tokens, Clock clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    ResponseCookie begin(Operator operator, ServerRequest request) {
        long end = clock.instant().plus(LENGTH).getEpochSecond();
        return cookie(operator.name() + "." + end + "." + signature(operator, end), LENGTH, request);
    }

    ResponseCookie end(ServerRequest request) {
        return cookie("", Duration.ZERO, request);
    }

    /** Whose session the request belongs to; empty without one that is valid. */
    Optional<Operator> operator(ServerRequest request) {
        HttpCookie cookie = request.cookies().getFirst(COOKIE);
        return cookie == null ? Optional.empty() : operator(cookie.getValue());
    }

    private Optional<Operator> operator(String value) {
        Matcher form = FORM.matcher(value);
        if (!form.matches()) {
            return Optional.empty();
        }
        long end = Long.parseLong(form.group(2));
        return tokens.named(form.group(1))
                .filter(operator -> MessageDigest.isEqual(
                        signature(operator, end).getBytes(), form.group(3).getBytes()))
                .filter(operator -> clock.instant().isBefore(Instant.ofEpochSecond(end)));
    }

    private String signature(Operator operator, long end) {
        byte[] signature = tokens.sign(operator, PURPOSE + "\n" + operator.name() + "\n" + end);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
    }

    private static ResponseCookie cookie(String value, Duration age, ServerRequest request) {
        return ResponseCookie.from(COOKIE, value)
                .path(OperatorConsole.HOME)
                .maxAge(age)
                .httpOnly(true)
                .sameSite("Strict")
                .secure(isHttps(request))
                .build();
    }

    /** A proxy that ends TLS says so. */
    private static boolean isHttps(ServerRequest request) {
        return "https".equals(request.uri().getScheme())
                || "https".equals(request.headers().firstHeader("X-Forwarded-Proto"));
    }
}
