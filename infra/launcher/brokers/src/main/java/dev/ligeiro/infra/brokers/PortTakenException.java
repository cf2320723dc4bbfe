package dev.ligeiro.infra.brokers;

/** Another process listens on a port that is needed. */
public final class PortTakenException extends RuntimeException {

    PortTakenException(String name, int port) {
        super("%s cannot listen on port %d: it is taken by another process".formatted(name, port));
    }
}
