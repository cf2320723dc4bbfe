package dev.ligeiro.support.mongo;

import com.mongodb.MongoSecurityException;
import com.mongodb.event.ServerDescriptionChangedEvent;
import com.mongodb.event.ServerListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs, at most once a minute, that MongoDB refuses this service's user or password, or that one of the two does not trust the other's
 * certificate. The operations that fail by it say only that they have waited too long for a connection.
 */
final class MongoRefusals implements ServerListener {

    private static final Logger LOG = LoggerFactory.getLogger(MongoRefusals.class);
    private static final Duration LOGGED_EVERY = Duration.ofMinutes(1);

    private final AtomicReference<@Nullable Long> loggedNanos = new AtomicReference<>();

    @Override
    public void serverDescriptionChanged(ServerDescriptionChangedEvent change) {
        Throwable refusal = refusal(change.getNewDescription().getException());
        if (refusal != null && mayLogNow()) {
            LOG.atWarn()
                    .addKeyValue("event.action", "mongodb_refuses")
                    .addKeyValue("server", change.getNewDescription().getAddress())
                    .addKeyValue("cause", refusal.getClass().getSimpleName())
                    .log("MongoDB refuses this service's user or password, or one of them the other's certificate");
        }
    }

    private static @Nullable Throwable refusal(@Nullable Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof MongoSecurityException || cause instanceof SSLException) {
                return cause;
            }
        }
        return null;
    }

    private boolean mayLogNow() {
        long now = System.nanoTime();
        Long last = loggedNanos.get();
        return (last == null || now - last > LOGGED_EVERY.toNanos()) && loggedNanos.compareAndSet(last, now);
    }
}
