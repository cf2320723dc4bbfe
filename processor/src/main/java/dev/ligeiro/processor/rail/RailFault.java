package dev.ligeiro.processor.rail;

/**
 * A rail's answer, or its absence, that says nothing about the money. Enough of them open the circuit breaker. The message is for the
 * operator's log: it has no secret, payload or personal data.
 */
public final class RailFault extends RuntimeException {

    private final boolean beforeCall;

    public RailFault(String message) {
        this(message, false);
    }

    private RailFault(String message, boolean beforeCall) {
        super(message, null, false, false);
        this.beforeCall = beforeCall;
    }

    /** A fault because of which a submission was not made: it has surely not reached the bank. */
    public static RailFault beforeCall(Throwable cause) {
        return new RailFault("not called: " + describe(cause), true);
    }

    static boolean isBeforeCall(Throwable failure) {
        return first(failure) instanceof RailFault fault && fault.beforeCall;
    }

    /** What may be logged of a failure: of others only the class of the first cause, since a message may have a URL with a secret in it. */
    public static String describe(Throwable failure) {
        Throwable first = first(failure);
        return first instanceof RailFault
                ? String.valueOf(first.getMessage())
                : first.getClass().getSimpleName();
    }

    private static Throwable first(Throwable failure) {
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return first;
    }
}
