package dev.ligeiro.infra.loadtest.observe;

import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.client.JsonAnswer;
import dev.ligeiro.infra.client.JsonApi;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/** Bytes that each service has allocated since its start, from its Prometheus metrics; exact to one young generation. */
public final class AllocatedBytes {

    private static final String METRIC = "jvm_gc_memory_allocated_bytes_total";
    private static final String PORT = "MANAGEMENT_SERVER_PORT=";

    private final Processes processes;
    private final String token;

    /** @param token of the management ports */
    public AllocatedBytes(Processes processes, String token) {
        this.processes = processes;
        this.token = token;
    }

    Map<Role, Long> read() {
        Map<Role, Long> allocated = new EnumMap<>(Role.class);
        processes.pids().forEach((role, pids) -> {
            if (role.isService()) {
                allocated.put(role, pids.stream().mapToLong(this::ofProcess).sum());
            }
        });
        return allocated;
    }

    /** The sum over a metric's lines, with or without labels. */
    static long sum(String metrics, String name) {
        return (long) metrics.lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** The launcher gives each process its management port as an environment variable. 0 without a port or an answer. */
    private long ofProcess(long pid) {
        return Stream.of(Proc.read(pid, "environ").split("\0"))
                .filter(variable -> variable.startsWith(PORT))
                .mapToLong(variable -> scrape("http://127.0.0.1:" + variable.substring(PORT.length())))
                .findFirst()
                .orElse(0);
    }

    private long scrape(String managementUrl) {
        try {
            JsonApi api = new JsonApi(managementUrl, token);
            JsonAnswer answer = JsonApi.send(api.request("/actuator/prometheus").setHeader("Accept", "text/plain"));
            return answer.status() == 200 ? sum(answer.body(), METRIC) : 0;
        } catch (ApiException noAnswer) {
            return 0;
        }
    }
}
