package dev.ligeiro.infra.loadtest.webhook;

import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.Processes;
import dev.ligeiro.infra.loadtest.system.Role;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A name server on loopback that never answers. Only processes whose {@code /etc/resolv.conf} names it ask it; the README says how to
 * start the system so. A look-up then blocks for the resolver's time-outs, as with a dead name server: 10 s with glibc.
 */
final class DeadNameServer implements AutoCloseable {

    /** A name that only a name server could resolve. */
    static final String NAME = "webhooks.dead-name-server.example";

    private static final String ADDRESS = "127.0.0.99";
    private static final int PORT = 53;

    private final @Nullable DatagramSocket socket;

    /** @throws CannotRunException when the dispatcher asks this server, and port 53 cannot be bound */
    DeadNameServer(Processes processes) {
        boolean asked = processes.pids().getOrDefault(Role.WEBHOOK_DISPATCHER, List.of()).stream()
                .allMatch(pid -> Processes.read(Long.toString(pid), "root", "etc", "resolv.conf")
                        .contains(ADDRESS));
        try {
            socket = asked ? new DatagramSocket(new InetSocketAddress(ADDRESS, PORT)) : null;
        } catch (IOException e) {
            throw new CannotRunException("the dead name server needs UDP port 53 of " + ADDRESS + ": " + e, e);
        }
    }

    @Override
    public void close() {
        if (socket != null) {
            socket.close();
        }
    }

    @Override
    public String toString() {
        return socket == null
                ? "the dispatcher's name server is the machine's: " + NAME
                        + " fails as that one answers (see the README)"
                : "the dispatcher's name server " + ADDRESS + " never answers";
    }
}
