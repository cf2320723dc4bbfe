package dev.ligeiro.desk.operator;

import jakarta.servlet.http.HttpServletRequest;
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
import org.springframework.stereotype.Component;

/**
 * The sessions of operators who have signed in to the console. One ends at the sign-out, after 15 minutes without a request by a person, after
 * 8 hours, when an operator ends it, and when the desk stops.
 */
@Component
class Sessions {

    static final Duration IDLE_MAX = Duration.ofMinutes(15);
    static final Duration LENGTH_MAX = Duration.ofHours(8);

    private static final String ID = Sessions.class.getName() + ".id";

    private final Map<UUID, Session> open = new ConcurrentHashMap<>();
    private final ApplicationEventPublisher events;
    private final Clock clock;

    /**
     * @param id names the session to operators; it is not the cookie
     * @param usedAt the time of the last request by a person
     */
    record Session(UUID id, Operator operator, String address, Instant beganAt, Instant usedAt) {

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
        Instant now = now();
        open.values().removeIf(session -> session.isOver(now));
        Session session = new Session(UUID.randomUUID(), operator, request.getRemoteAddr(), now, now);
        open.put(session.id(), session);
        request.getSession().setAttribute(ID, session.id());
        request.changeSessionId();
        events.publishEvent(new SignInAttempt(operator, request));
    }

    /** The operator whose session the request belongs to; null without one that is open. */
    @Nullable
    Operator use(HttpServletRequest request) {
        UUID id = id(request);
        Instant now = now();
        Session session = id == null
                ? null
                : open.computeIfPresent(
                        id, (same, found) -> found.isOver(now) ? null : isByPage(request) ? found : found.used(now));
        if (id != null && session == null) {
            request.getSession().invalidate();
        }
        return session == null ? null : session.operator();
    }

    /** Requests that an open page makes by itself do not count as use. */
    private static boolean isByPage(HttpServletRequest request) {
        return request.getHeader("HX-Request") != null;
    }

    private static @Nullable UUID id(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session == null ? null : (UUID) session.getAttribute(ID);
    }

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
        Instant now = now();
        return open.values().stream()
                .filter(session -> !session.isOver(now))
                .sorted(Comparator.comparing(Session::beganAt).reversed())
                .toList();
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}
