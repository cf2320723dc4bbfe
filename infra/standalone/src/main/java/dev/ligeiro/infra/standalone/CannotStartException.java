package dev.ligeiro.infra.standalone;

/** The system cannot run as asked; the message is for the person at the terminal and says what to do. */
final class CannotStartException extends RuntimeException {

    CannotStartException(String message) {
        super(message);
    }

    CannotStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
