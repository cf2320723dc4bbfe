package dev.ligeiro.processor.due;

import dev.ligeiro.processor.rail.RailRoutes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** For how long the oldest outcome of each rail has been unknown. */
@Component
class UnknownByRail {

    /** The most transactions that one look reads. */
    static final int ROWS_MAX = 1_000;

    private static final String NO_RAIL = "none";

    private final DueStore store;
    private final RailRoutes routes;

    UnknownByRail(DueStore store, RailRoutes routes) {
        this.store = store;
        this.routes = routes;
    }

    /**
     * The ages by the name of the rail. A rail without an unknown outcome has 0. If there are more than {@value ROWS_MAX} unknown
     * outcomes, a rail that has none of the oldest ones is left out, since it may have younger ones.
     */
    Mono<Map<String, Duration>> oldest(Instant now) {
        return store.oldestUnsettled(ROWS_MAX).collectList().map(rows -> byRail(rows, now));
    }

    private Map<String, Duration> byRail(List<DueStore.Unsettled> rows, Instant now) {
        Map<String, Duration> ages = new HashMap<>();
        for (DueStore.Unsettled row : rows) {
            String rail = routes.name(row.tenant(), row.operation(), row.rail()).orElse(NO_RAIL);
            // the first row of a rail is its oldest
            ages.putIfAbsent(rail, Duration.between(row.since(), now));
        }
        if (rows.size() < ROWS_MAX) {
            routes.names().forEach(rail -> ages.putIfAbsent(rail, Duration.ZERO));
        }
        return ages;
    }
}
