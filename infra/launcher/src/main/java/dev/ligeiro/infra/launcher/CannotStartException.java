package dev.ligeiro.infra.launcher;

/** The system cannot be started. The message is for the person at the terminal and says what to do. */
final class CannotStartException extends RuntimeException {

    CannotStartException(String message) {
        super(message);
    }

    CannotStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
