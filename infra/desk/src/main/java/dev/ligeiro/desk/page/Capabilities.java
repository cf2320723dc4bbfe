package dev.ligeiro.desk.page;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.support.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** What operators can do, found among the handlers of their API. */
@Component
public class Capabilities {

    /**
     * A form of the console has refused what it was sent. It is published as an event: the audit has an entry of it, also if the handler was not
     * called.
     *
     * @param handler of the operators' API that the form would have called
     * @param variables values of the handler's path, by the names there
     */
    public record RefusedForm(
            HandlerMethod handler, Map<String, String> variables, HttpServletRequest request, HttpStatus status) {}

    private final Map<String, Capability> all = new TreeMap<>();
    private final ApplicationEventPublisher events;

    /** @throws IllegalStateException if two capabilities have the same name */
    Capabilities(
            @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping handlers,
            ApplicationEventPublisher events) {
        this.events = events;
        handlers.getHandlerMethods().forEach((route, handler) -> {
            Capability found = Capability.of(handler);
            String name = found.group() + " " + found.verb();
            if (route.getPatternValues().stream().allMatch(path -> path.startsWith("/admin/"))
                    && all.put(name, found) != null) {
                throw new IllegalStateException(name + " (expected: one method with this name)");
            }
        });
    }

    /** By their names, such as {@code keys rotate}. */
    Map<String, Capability> all() {
        return all;
    }

    /** Says that the page with the form of a capability has refused what it was sent. */
    public void refused(String name, HttpServletRequest request, Problem refusal) {
        refused(requireNonNull(all.get(name), name), Map.of(), request, refusal);
    }

    void refused(Capability capability, Map<String, String> link, HttpServletRequest request, Problem refusal) {
        events.publishEvent(new RefusedForm(
                capability.handler(),
                capability.ofPath(link),
                request,
                refusal.code().status()));
    }

    /**
     * The capability that shows what a change with these parameters is about: the {@code show} all of whose variables are given, the one with
     * the most of them.
     */
    Optional<Capability> subject(Set<String> parameters) {
        return all.values().stream()
                .filter(capability -> capability.verb().equals("show")
                        && !capability.variables().isEmpty()
                        && parameters.containsAll(capability.variables()))
                .max(Comparator.comparingInt(
                        capability -> capability.variables().size()));
    }
}
