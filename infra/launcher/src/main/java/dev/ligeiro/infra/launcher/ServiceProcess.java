package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.Answer;
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
 * @param records whether it records for an ahead-of-time cache
 */
record ServiceProcess(
        ServiceKind kind,
        ServiceProgram program,
        String name,
        Path logs,
        int managementPort,
        Map<String, String> settings,
        boolean records)
        implements LocalProcess {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    @Override
    public ChildProcess spawn() {
        Ports.requireFree(name, managementPort);
        return program.spawn(name, settings, logs.resolve(name + ".out"), records);
    }

    @Override
    public boolean ready() {
        return Ports.answers(managementPort) && isReady() && (kind != ServiceKind.DESK || hasConsole());
    }

    /**
     * Whether a metric is above 0.
     *
     * @param metric its name in Micrometer, with its tags: {@code name?tag=key:value}
     */
    boolean shows(String metric) {
        try {
            Answer answer = management().get("/actuator/metrics/" + metric);
            return answer.status() == 200
                    && answer.json().at("/measurements/0/value").asDouble() > 0;
        } catch (ApiException noAnswer) {
            return false;
        }
    }

    /** The desk opens the merchants' console last. */
    private boolean hasConsole() {
        return Ports.answers(Integer.parseInt(settings.getOrDefault("LIGEIRO_CONSOLE_PORT", "0")));
    }

    private boolean isReady() {
        Api management = management();
        try {
            return Api.send(management.request("/actuator/health/readiness").timeout(ANSWER_MAX))
                            .status()
                    == 200;
        } catch (ApiException noAnswer) {
            return false;
        }
    }

    private Api management() {
        return new Api("http://127.0.0.1:" + managementPort, null);
    }
}
