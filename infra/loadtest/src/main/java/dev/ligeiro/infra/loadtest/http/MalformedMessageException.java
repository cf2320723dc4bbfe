package dev.ligeiro.infra.loadtest.http;

/** The other side sent what is no HTTP/1.1 message of the kind that this load test reads. */
public final class MalformedMessageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MalformedMessageException(String message) {
        super(message);
    }
}
