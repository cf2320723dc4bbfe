package dev.ligeiro.desk.audit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Scheduler;
import dev.ligeiro.desk.http.RequestId;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.SignInAttempt;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** Writes entries of the audit: those of sign-ins and wrong tokens, and for {@link AuditRequests} those of requests. */
@Component
class Audit {

    private static final Logger LOG = LoggerFactory.getLogger(Audit.class);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int ADDRESSES_MAX = 100;

    private final AuditStore store;
    private final Clock clock;
    /** How many wrong tokens an address has sent in this minute. */
    private final Cache<String, AtomicInteger> wrongTokens = Caffeine.newBuilder()
            .expireAfterWrite(MINUTE)
            .scheduler(Scheduler.systemScheduler())
            .<String, AtomicInteger>removalListener((address, count, cause) -> {
                if (address != null && count != null) {
                    endMinute(address, count.get());
                }
            })
            .build();

    Audit(AuditStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Stores a sign-in, or a wrong token. */
    @EventListener
    void attempted(SignInAttempt attempt) {
        if (attempt.operator() == null) {
            wrongToken(attempt.request());
        } else {
            store(attempt.operator().name(), AuditEntry.SIGN_IN, attempt.request(), null, HttpStatus.OK);
        }
    }

    /**
     * One entry for the first one of an address in a minute, and one for all others of that minute. More than 100 addresses count as one, so
     * nobody can fill the collection.
     */
    private void wrongToken(HttpServletRequest request) {
        String address = request.getRemoteAddr();
        String counted =
                wrongTokens.asMap().containsKey(address) || wrongTokens.asMap().size() < ADDRESSES_MAX
                        ? address
                        : "others";
        if (wrongTokens.get(counted, first -> new AtomicInteger()).incrementAndGet() == 1) {
            store(counted, AuditEntry.WRONG_TOKEN, request, "1", HttpStatus.UNAUTHORIZED);
        }
    }

    private void endMinute(String address, int count) {
        if (count > 1) {
            AuditEntry others =
                    AuditEntry.begun(now(), address, AuditEntry.WRONG_TOKEN, "", String.valueOf(count - 1), "");
            try {
                store.insert(others);
            } catch (RuntimeException away) {
                line(others, away).log("The wrong tokens of a minute are not in the audit");
                return;
            }
            end(others, HttpStatus.UNAUTHORIZED.value(), null);
        }
    }

    /** A change that was refused before its handler was called. */
    void refused(Operator operator, String action, HttpServletRequest request, HttpStatus status) {
        store(operator.name(), action, request, null, status);
    }

    private void store(
            String who, String action, HttpServletRequest request, @Nullable String body, HttpStatus status) {
        end(begin(who, action, request.getRequestURI(), body, request), status.value(), null);
    }

    /**
     * Stores the beginning of a request.
     *
     * @throws DataAccessException if it cannot be stored; the request is not carried out then
     */
    AuditEntry begin(String who, String action, String path, @Nullable String body, HttpServletRequest request) {
        AuditEntry begun = AuditEntry.begun(now(), who, action, path, body, RequestId.of(request));
        store.insert(begun);
        return begun;
    }

    /** A failure leaves the outcome unknown: the change has been made, and its response must reach the operator. */
    void end(AuditEntry begun, int status, @Nullable String location) {
        try {
            store.end(begun.ended(status, location, Audited.merchant()));
        } catch (RuntimeException away) {
            line(begun, away).log("An entry of the audit has no outcome");
        }
    }

    private static LoggingEventBuilder line(AuditEntry entry, RuntimeException failure) {
        return LOG.atWarn()
                .addKeyValue("event.action", "audit_not_ended")
                .addKeyValue("entry", entry.id())
                .addKeyValue("cause", failure.getClass().getSimpleName());
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}
