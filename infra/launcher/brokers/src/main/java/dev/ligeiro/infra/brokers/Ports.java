package dev.ligeiro.infra.brokers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Finds free ports of this machine, and checks whether a port accepts connections. */
public final class Ports {

    /** Below Linux's ephemeral range, so that no outgoing connection takes the port of a stopped broker. */
    private static final int LOWEST = 20_000;

    private static final int HIGHEST = 32_000;
    private static final int CONNECT_MILLIS = 500;

    private Ports() {}

    /** A free port, chosen at random: two calls seldom return the same one. */
    public static int free() {
        return freeInARow(1);
    }

    /** The first of {@code count} consecutive free ports, chosen at random. */
    public static int freeInARow(int count) {
        int first;
        do {
            first = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST - count);
        } while (!IntStream.range(first, first + count).allMatch(Ports::isFree));
        return first;
    }

    /** Whether a server could listen on the port, on loopback and on all addresses. */
    public static boolean isFree(int port) {
        return binds(new InetSocketAddress(port))
                && binds(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** {@code 127.0.0.1:PORT} of each port, with commas between them. */
    static String addresses(List<Integer> ports) {
        return ports.stream().map(Ports::address).collect(Collectors.joining(","));
    }

    static String address(int port) {
        return "127.0.0.1:" + port;
    }

    /** {@code broker} if it has no other members, else {@code broker-1} and so on. */
    static String nameOfMember(String broker, int port, List<Integer> members) {
        return members.size() == 1 ? broker : broker + "-" + (members.indexOf(port) + 1);
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

    /** Another process listens on a port that is needed. */
    public static final class PortTakenException extends RuntimeException {

        PortTakenException(String name, int port) {
            super("%s cannot listen on port %d: it is taken by another process".formatted(name, port));
        }
    }
}
