package dev.ligeiro.infra.client;

/** The gateway did not answer, or answered with another status than expected. The message names the request. */
public final class ApiException extends RuntimeException {

    ApiException(String message) {
        super(message);
    }

    ApiException(String message, Throwable cause) {
        super(message, cause);
    }
}
