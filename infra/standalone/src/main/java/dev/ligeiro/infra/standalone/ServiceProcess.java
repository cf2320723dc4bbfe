package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One instance of a service as a JVM of its own.
 *
 * @param command what starts its JVM, asked for at each start
 * @param logs where it logs; its standard output, a JVM's last words among it, goes beside it
 * @param settings what it is told, as environment variables
 */
record ServiceProcess(
        ServiceKind kind,
        String name,
        Supplier<List<String>> command,
        Path logs,
        int managementPort,
        Map<String, String> settings)
        implements LocalProcess {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

    @Override
    public ChildProcess spawn() {
        Ports.requireFree(name, managementPort);
        List<String> ranked = kind.answersCallers() ? command.get() : ChildProcess.inTheBackground(command.get());
        return ChildProcess.spawn(name, ranked, settings, logs.resolve(name + ".out"));
    }

    @Override
    public boolean ready() {
        HttpRequest readiness = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + managementPort + "/actuator/health/readiness"))
                .timeout(Duration.ofSeconds(2))
                .build();
        try {
            return HTTP.send(readiness, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
