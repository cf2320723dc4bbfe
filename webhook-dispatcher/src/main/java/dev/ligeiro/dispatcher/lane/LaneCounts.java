package dev.ligeiro.dispatcher.lane;

import java.time.Instant;

/**
 * The lanes of all endpoints.
 *
 * @param due those that are due, claimed or not
 * @param open those whose circuit breaker is open
 * @param failingSince the earliest first failure since an endpoint's last success; {@link Instant#MAX} if no endpoint fails
 */
record LaneCounts(long all, long due, long open, Instant failingSince) {

    static final LaneCounts NONE = new LaneCounts(0, 0, 0, Instant.MAX);
}
