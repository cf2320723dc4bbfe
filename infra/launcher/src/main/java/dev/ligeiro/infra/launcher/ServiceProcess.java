package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.ApiException;
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

    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

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
        Api management = new Api("http://127.0.0.1:" + managementPort, null);
        try {
            return Api.send(management.request("/actuator/health/readiness").timeout(ANSWER_MAX))
                            .status()
                    == 200;
        } catch (ApiException noAnswer) {
            return false;
        }
    }
}
