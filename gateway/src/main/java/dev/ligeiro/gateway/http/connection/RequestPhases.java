package dev.ligeiro.gateway.http.connection;

/**
 * What a connection waits for, and since when. A client may send the next request before it has the response to an earlier one, so
 * requests are counted. Times are in nanoseconds of one clock; the class knows no channel.
 */
final class RequestPhases {

    private enum Phase {
        /** The first byte of a request. */
        IDLE,
        /** The end of a request's headers. */
        HEAD,
        /** The end of a request's body. */
        BODY,
        /** A response. */
        RESPONSE
    }

    private final ConnectionProperties limits;
    private Phase phase = Phase.IDLE;
    private long sinceNanos;
    /** Requests whose headers have been decoded and whose response has not been written. */
    private int unanswered;

    private boolean responding;

    RequestPhases(ConnectionProperties limits) {
        this.limits = limits;
    }

    void connected(long now) {
        begin(Phase.IDLE, now);
    }

    /** Bytes have come that are no message yet: between two requests they are the first part of the headers. */
    void partReceived(long now) {
        if (phase == Phase.IDLE || phase == Phase.RESPONSE) {
            begin(Phase.HEAD, now);
        }
    }

    /** The limit of a request counts from its first byte, so a body does not begin anew. */
    void headReceived(long now) {
        if (phase == Phase.HEAD) {
            phase = Phase.BODY;
        } else {
            begin(Phase.BODY, now);
        }
        unanswered++;
    }

    void bodyReceived(long now) {
        begin(unanswered > 0 ? Phase.RESPONSE : Phase.IDLE, now);
    }

    void responseBegun() {
        responding = true;
    }

    void responseWritten(long now) {
        responding = false;
        unanswered--;
        if (phase == Phase.RESPONSE) {
            bodyReceived(now);
        }
    }

    boolean isResponding() {
        return responding;
    }

    /** Whether the client has sent a part of a request and waits for no earlier response. */
    boolean mayAnswerTimeout() {
        return phase == Phase.HEAD && unanswered == 0 || phase == Phase.BODY && unanswered == 1 && !responding;
    }

    /** Until the limit of the phase is over. A response has none: the limit of its route holds. */
    long leftNanos(long now) {
        return switch (phase) {
            case IDLE -> sinceNanos + limits.idleTimeout().toNanos() - now;
            case HEAD -> sinceNanos + limits.headTimeout().toNanos() - now;
            case BODY -> sinceNanos + limits.requestTimeout().toNanos() - now;
            case RESPONSE -> Long.MAX_VALUE;
        };
    }

    private void begin(Phase next, long now) {
        phase = next;
        sinceNanos = now;
    }
}
