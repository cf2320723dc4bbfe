package dev.ligeiro.dispatcher.attempt;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.Ports;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One of the receivers in {@code infra/receiver}, as a process of its own. */
final class RunningReceiver {

    private static final int TIMEOUT_MILLIS = 30_000;
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    private final ChildProcess process;
    private final int port;
    private final Path output;

    private RunningReceiver(ChildProcess process, int port, Path output) {
        this.process = process;
        this.port = port;
        this.output = output;
    }

    /** @param arguments of the program; the port is put before them */
    static RunningReceiver start(
            String name, List<String> program, List<String> arguments, Map<String, String> environment, Path folder) {
        int port = Ports.free();
        List<String> command = new ArrayList<>(program);
        command.add(Integer.toString(port));
        command.addAll(arguments);
        Path output = folder.resolve(name + ".out");
        return new RunningReceiver(ChildProcess.spawn(name, command, environment, output), port, output);
    }

    void awaitReady() {
        await(process.name())
                .atMost(READY_WITHIN)
                .failFast(() -> {
                    if (!process.isAlive()) {
                        throw new AssertionError(process.failureSummary());
                    }
                })
                .until(() -> output().contains("receiving on"));
    }

    /**
     * Sends a webhook over a new connection and returns the status code of the response. A client that keeps connections would now and then
     * reuse one that Python's server is closing: that server speaks HTTP/1.0.
     */
    int post(Map<String, String> headers, byte[] body) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + port + "/");
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setDoOutput(true); // makes it a POST
        headers.forEach(connection::setRequestProperty);
        connection.setRequestProperty("Connection", "close");
        try (OutputStream output = connection.getOutputStream()) {
            output.write(body);
        }
        return connection.getResponseCode();
    }

    /** What it has printed so far. */
    String output() throws IOException {
        return Files.readString(output);
    }

    void kill() {
        process.kill();
    }

    @Override
    public String toString() {
        return process.name();
    }
}
