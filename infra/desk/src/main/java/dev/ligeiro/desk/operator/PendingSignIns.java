package dev.ligeiro.desk.operator;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.desk.http.ConsolePath;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.security.oauth2.client.web.AuthorizationRequestRepository;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.stereotype.Component;
import org.springframework.web.util.WebUtils;

/**
 * The sign-ins that have gone to the OpenID provider, for ten minutes. Each can come back once, to the browser that began it: a cookie of its own
 * says so, since a browser that comes from another site does not send that of the session.
 */
@Component
class PendingSignIns implements AuthorizationRequestRepository<OAuth2AuthorizationRequest> {

    private static final String COOKIE = "ligeiro_sign_in";
    private static final String BACK = PendingSignIns.class.getName() + ".back";
    private static final Duration TIME_MAX = Duration.ofMinutes(10);
    private static final int PENDING_MAX = 10_000;

    private final Cache<String, Pending> pending = Caffeine.newBuilder()
            .maximumSize(PENDING_MAX)
            .expireAfterWrite(TIME_MAX)
            .build();

    private record Pending(OAuth2AuthorizationRequest request, String back) {}

    /** The page to which the sign-in that has just come back leads. */
    static String back(HttpServletRequest request) {
        return ConsolePath.of((String) request.getAttribute(BACK));
    }

    @Override
    public @Nullable OAuth2AuthorizationRequest loadAuthorizationRequest(HttpServletRequest request) {
        Pending found = find(request);
        return found == null ? null : found.request();
    }

    @Override
    public void saveAuthorizationRequest(
            @Nullable OAuth2AuthorizationRequest begun, HttpServletRequest request, HttpServletResponse response) {
        if (begun != null) {
            String id = UUID.randomUUID().toString();
            pending.put(id, new Pending(begun, ConsolePath.of(request.getParameter("back"))));
            response.addHeader(
                    HttpHeaders.SET_COOKIE,
                    ResponseCookie.from(COOKIE, id)
                            .path(SignInPages.SIGN_IN)
                            .maxAge(TIME_MAX)
                            .httpOnly(true)
                            .sameSite("Lax")
                            .secure(request.isSecure())
                            .build()
                            .toString());
        }
    }

    @Override
    public @Nullable OAuth2AuthorizationRequest removeAuthorizationRequest(
            HttpServletRequest request, HttpServletResponse response) {
        Pending found = find(request);
        Cookie cookie = WebUtils.getCookie(request, COOKIE);
        if (found == null || cookie == null || !pending.asMap().remove(cookie.getValue(), found)) {
            return null;
        }
        request.setAttribute(BACK, found.back());
        return found.request();
    }

    private @Nullable Pending find(HttpServletRequest request) {
        Cookie cookie = WebUtils.getCookie(request, COOKIE);
        Pending found = cookie == null ? null : pending.getIfPresent(cookie.getValue());
        return found != null
                        && Objects.equals(found.request().getState(), request.getParameter(OAuth2ParameterNames.STATE))
                ? found
                : null;
    }
}
