package dev.ligeiro.desk.operator;

import dev.ligeiro.support.problem.Problem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/** Admits operators to the API by their bearer token. */
final class BearerFilter extends OncePerRequestFilter {

    private static final String BEARER = "Bearer ";

    private final Tokens tokens;

    BearerFilter(Tokens tokens) {
        this.tokens = tokens;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String token = bearer(request.getHeader(HttpHeaders.AUTHORIZATION));
        if (token != null) {
            try {
                SecurityContextHolder.getContext().setAuthentication(tokens.admit(token, request));
            } catch (Problem refused) {
                response.sendError(refused.code().status().value());
                return;
            }
        }
        chain.doFilter(request, response);
    }

    private static @Nullable String bearer(@Nullable String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? authorization.substring(BEARER.length()).strip()
                : null;
    }
}
