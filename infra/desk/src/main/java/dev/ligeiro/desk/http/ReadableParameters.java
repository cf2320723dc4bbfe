package dev.ligeiro.desk.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers a request whose query or form cannot be read. Tomcat throws wherever a parameter is asked for, which each page does, the page of a
 * failure too. It stands after the filter that sets the encoding of forms.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
public class ReadableParameters extends OncePerRequestFilter {

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            request.getParameterMap();
        } catch (InvalidParameterException unreadable) {
            response.setStatus(unreadable.getErrorCode());
            response.setContentType(MediaType.TEXT_PLAIN_VALUE);
            response.getWriter().println("The query or the form cannot be read");
            return;
        }
        chain.doFilter(request, response);
    }
}
