package dev.ligeiro.desk.operator;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/** Admits operators to the console by their session. */
final class SessionFilter extends OncePerRequestFilter {

    private final Sessions sessions;

    SessionFilter(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Operator operator = sessions.use(request);
        if (operator != null) {
            SecurityContextHolder.getContext().setAuthentication(new SignedIn(operator));
        }
        chain.doFilter(request, response);
    }

    /** The page of an error shows who is signed in. */
    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }
}
