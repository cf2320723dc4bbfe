package dev.ligeiro.infra.launcher.terminal;

/** The system cannot be started. The message is for the person at the terminal and says what to do. */
public final class CannotStartException extends RuntimeException {

    public CannotStartException(String message) {
        super(message);
    }

    public CannotStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
