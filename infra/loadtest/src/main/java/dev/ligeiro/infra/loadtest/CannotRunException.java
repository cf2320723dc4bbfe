package dev.ligeiro.infra.loadtest;

/** The load test cannot continue. The message is for the person at the terminal. */
final class CannotRunException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CannotRunException(String message) {
        super(message);
    }

    CannotRunException(String message, Throwable cause) {
        super(message, cause);
    }
}
