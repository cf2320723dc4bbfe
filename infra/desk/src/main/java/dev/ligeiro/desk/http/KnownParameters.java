package dev.ligeiro.desk.http;

import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/** Refuses query parameters that a route does not have, and repeated ones: a misspelt filter would show everything. */
final class KnownParameters implements HandlerInterceptor {

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (!(handler instanceof HandlerMethod method)) {
            return true;
        }
        Set<String> known = new TreeSet<>();
        for (MethodParameter parameter : method.getMethodParameters()) {
            RequestParam query = parameter.getParameterAnnotation(RequestParam.class);
            if (query != null) {
                known.add(query.name().isEmpty() ? parameter.getParameter().getName() : query.name());
            }
        }
        List<FieldError> errors = new ArrayList<>();
        request.getParameterMap().forEach((name, values) -> {
            if (!known.contains(name)) {
                errors.add(new FieldError(name, "unknown", "expected one of " + known));
            } else if (values.length > 1) {
                errors.add(new FieldError(name, "repeated", "expected at most once"));
            }
        });
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
        return true;
    }
}
