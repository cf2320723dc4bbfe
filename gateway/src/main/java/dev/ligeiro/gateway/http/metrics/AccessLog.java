package dev.ligeiro.gateway.http.metrics;

import dev.ligeiro.transaction.Tenant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Writes one line for each request, if it is switched on. The line has the route's path, never the path or the query that was sent. */
@Component
final class AccessLog {

    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);

    private final boolean enabled;

    AccessLog(@Value("${ligeiro.http.access-log:false}") boolean enabled) {
        this.enabled = enabled;
    }

    /** @param status null when the client has closed the connection */
    void write(ObservedRequest request, ObservedRoute route, @Nullable Integer status, long nanos) {
        if (!enabled) {
            return;
        }
        Tenant tenant = request.tenant();
        LOG.atInfo()
                .addKeyValue("event.action", "http_request")
                .addKeyValue("method", route.method())
                .addKeyValue("route", route.path())
                .addKeyValue("status", status)
                .addKeyValue("duration_ms", TimeUnit.NANOSECONDS.toMillis(nanos))
                .addKeyValue("request_id", request.id())
                .addKeyValue("tenant", tenant == null ? null : tenant.key())
                .log("A request has ended");
    }
}
