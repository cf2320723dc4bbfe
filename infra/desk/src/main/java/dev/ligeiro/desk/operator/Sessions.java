package dev.ligeiro.desk.operator;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.context.HttpRequestResponseHolder;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.stereotype.Component;

/**
 * The sessions of operators who have signed in to the console. One ends at the sign-out, after 15 minutes without a request by a person, after
 * 8 hours, when an operator ends it, and when the desk stops.
 */
@Component
public class Sessions implements SecurityContextRepository {

    private static final Duration IDLE_MAX = Duration.ofMinutes(15);
    private static final Duration LENGTH_MAX = Duration.ofHours(8);
    private static final String ID = Sessions.class.getName() + ".id";

    private final Map<UUID, Session> open = new ConcurrentHashMap<>();
    private final ApplicationEventPublisher events;
    private final Clock clock;

    /**
     * @param id names the session to operators; it is not the cookie
     * @param usedAt the time of the last request by a person
     */
    public record Session(UUID id, Operator operator, String address, Instant beganAt, Instant usedAt) {

        private boolean isOver(Instant now) {
            return !now.isBefore(usedAt.plus(IDLE_MAX)) || !now.isBefore(beganAt.plus(LENGTH_MAX));
        }

        private Session used(Instant at) {
            return new Session(id, operator, address, beganAt, at);
        }
    }

    Sessions(ApplicationEventPublisher events, Clock clock) {
        this.events = events;
        this.clock = clock;
    }

    void begin(Operator operator, HttpServletRequest request) {
        end(request);
        Instant now = clock.instant();
        open.values().removeIf(session -> session.isOver(now));
        Session session = new Session(UUID.randomUUID(), operator, request.getRemoteAddr(), now, now);
        events.publishEvent(new SignInAttempt(operator, request));
        open.put(session.id(), session);
        request.getSession().setAttribute(ID, session.id());
        request.changeSessionId();
    }

    /** The operator whose session the request belongs to. Requests that an open page makes by itself do not count as use. */
    @Override
    @SuppressWarnings("deprecation") // the one that Spring Security prefers calls it
    public SecurityContext loadContext(HttpRequestResponseHolder exchange) {
        HttpServletRequest request = exchange.getRequest();
        UUID id = id(request);
        if (id == null) {
            return new SecurityContextImpl();
        }
        Instant now = clock.instant();
        Session session = open.computeIfPresent(id, (same, found) -> found.isOver(now) ? null : found);
        if (session == null) {
            request.getSession().invalidate();
            return new SecurityContextImpl();
        }
        if (request.getHeader("HX-Request") == null) {
            open.computeIfPresent(id, (same, found) -> found.used(now));
        }
        return new SecurityContextImpl(session.operator());
    }

    private static @Nullable UUID id(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session == null ? null : (UUID) session.getAttribute(ID);
    }

    @Override
    public boolean containsContext(HttpServletRequest request) {
        return id(request) != null;
    }

    /** Nothing: a session begins with an operator, not with what a provider says. */
    @Override
    public void saveContext(SecurityContext context, HttpServletRequest request, HttpServletResponse response) {}

    void end(HttpServletRequest request) {
        UUID id = id(request);
        if (id != null) {
            open.remove(id);
        }
    }

    /** False if there is no such session. */
    boolean end(UUID id) {
        return open.remove(id) != null;
    }

    /** The open ones, the newest first. */
    List<Session> list() {
        Instant now = clock.instant();
        return open.values().stream()
                .filter(session -> !session.isOver(now))
                .sorted(Comparator.comparing(Session::beganAt).reversed())
                .toList();
    }
}
