package dev.ligeiro.infra.launcher.service;

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
import java.util.Map;

/**
 * One instance of a service, which is one JVM.
 *
 * @param logs the folder of its log; its standard output goes to a file beside it
 * @param settings environment variables
 */
record ServiceProcess(ServiceProgram program, String name, Path logs, int managementPort, Map<String, String> settings)
        implements LocalProcess {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

    @Override
    public ChildProcess spawn() {
        Ports.requireFree(name, managementPort);
        return program.spawn(name, settings, logs.resolve(name + ".out"));
    }

    @Override
    public boolean ready() {
        return Ports.answers(managementPort) && isReady();
    }

    private boolean isReady() {
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
