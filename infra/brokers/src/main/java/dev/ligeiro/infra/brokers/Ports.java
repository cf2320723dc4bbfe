package dev.ligeiro.infra.brokers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;

/** Which ports of this machine are free, and which answer. */
public final class Ports {

    /** Below Linux's ephemeral range: no outgoing connection takes the port while its broker is down. */
    private static final int LOWEST = 20_000;

    private static final int HIGHEST = 32_000;
    private static final int CONNECT_MILLIS = 500;

    private Ports() {}

    /** A port that nothing listens on now; two calls seldom give the same one. */
    public static int free() {
        int port;
        do {
            port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
        } while (!isFree(port));
        return port;
    }

    /** Whether a server could listen on the port, on loopback and on all addresses. */
    public static boolean isFree(int port) {
        return binds(new InetSocketAddress(port))
                && binds(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    public static void requireFree(String name, int port) {
        if (!isFree(port)) {
            throw new PortTakenException(name, port);
        }
    }

    /** Whether something accepts connections on this port of the loopback address. */
    public static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean binds(InetSocketAddress address) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
