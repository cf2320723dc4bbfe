package dev.ligeiro.desk.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** The {@code X-Request-Id} of a request: the caller's own, or a new one. Responses, problems, commands and the audit have it. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public class RequestId extends OncePerRequestFilter {

    private static final String HEADER = "X-Request-Id";
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/=:-]{1,128}");

    public static String of(HttpServletRequest request) {
        return String.valueOf(request.getAttribute(HEADER));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String id = valid(request.getHeader(HEADER));
        request.setAttribute(HEADER, id);
        response.setHeader(HEADER, id);
        chain.doFilter(request, response);
    }

    private static String valid(@Nullable String given) {
        return given != null && FORM.matcher(given).matches()
                ? given
                : UUID.randomUUID().toString();
    }
}
