package dev.ligeiro.infra.loadtest.system;

/** The load test cannot continue. The message is for the person at the terminal. */
public final class CannotRunException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CannotRunException(String message) {
        super(message);
    }

    public CannotRunException(String message, Throwable cause) {
        super(message, cause);
    }
}
