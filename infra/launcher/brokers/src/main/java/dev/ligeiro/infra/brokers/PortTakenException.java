package dev.ligeiro.infra.brokers;

/** Another process listens on a port that is needed. */
public final class PortTakenException extends RuntimeException {

    private final int port;

    public PortTakenException(String name, int port) {
        super("%s cannot listen on port %d: it is taken by another process".formatted(name, port));
        this.port = port;
    }

    public int port() {
        return port;
    }
}
