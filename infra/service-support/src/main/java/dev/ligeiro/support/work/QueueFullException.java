package dev.ligeiro.support.work;

/** The queue of a {@link RequestBatcher} is full. The request was not sent; the caller may retry after about a second. */
public final class QueueFullException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Without a stack trace: it is thrown once per request while the service is overloaded. */
    QueueFullException(int queuedMax) {
        super("requests queued: " + queuedMax + " (expected: < " + queuedMax + ")", null, false, false);
    }
}
