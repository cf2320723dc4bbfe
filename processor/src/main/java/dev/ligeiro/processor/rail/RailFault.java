package dev.ligeiro.processor.rail;

/**
 * A rail's answer, or its absence, that says nothing about the money. Enough of them open the circuit breaker. The message is for the
 * operator's log: it has no secret, payload or personal data.
 */
public final class RailFault extends RuntimeException {

    public RailFault(String message) {
        super(message, null, false, false);
    }

    /** What may be logged of a failure: of others only the class of the first cause, since a message may have a URL with a secret in it. */
    public static String describe(Throwable failure) {
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return first instanceof RailFault
                ? String.valueOf(first.getMessage())
                : first.getClass().getSimpleName();
    }
}
