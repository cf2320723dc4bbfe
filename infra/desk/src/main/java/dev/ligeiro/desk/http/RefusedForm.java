package dev.ligeiro.desk.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.method.HandlerMethod;

/**
 * A form of the console has refused what it was sent. It is published as an event: the audit has an entry of it, also if the handler was not
 * called.
 *
 * @param handler of the operators' API that the form would have called
 * @param variables values of the handler's path, by the names there
 */
public record RefusedForm(
        HandlerMethod handler, Map<String, String> variables, HttpServletRequest request, HttpStatus status) {}
