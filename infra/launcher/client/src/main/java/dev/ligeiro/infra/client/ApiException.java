package dev.ligeiro.infra.client;

/** The gateway sent no response, or one with an unexpected status. The message names the request. */
public final class ApiException extends RuntimeException {

    ApiException(String message) {
        super(message);
    }

    ApiException(String message, Throwable cause) {
        super(message, cause);
    }
}
