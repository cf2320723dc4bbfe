package dev.ligeiro.infra.loadtest.observe;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Bytes that each service has allocated since its start, by its own metrics; exact to one young generation. */
public final class Garbage {

    private static final String METRIC = "jvm_gc_memory_allocated_bytes_total";
    private static final String PORT = "MANAGEMENT_SERVER_PORT=";

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private final Processes processes;
    private final String token;

    /** @param token of the management ports */
    public Garbage(Processes processes, String token) {
        this.processes = processes;
        this.token = token;
    }

    /** Services that do not tell are left out. */
    public Map<Role, Long> allocatedBytes() {
        Map<Role, Long> allocated = new EnumMap<>(Role.class);
        processes.pids().forEach((role, pids) -> {
            if (role.isService()) {
                allocated.put(
                        role, pids.stream().mapToLong(this::allocatedBytes).sum());
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

    private long allocatedBytes(long pid) {
        OptionalInt port = managementPort(pid);
        return port.isPresent() ? sum(scrape(port.getAsInt()), METRIC) : 0;
    }

    /** How it was told by its environment, as in a container. */
    private static OptionalInt managementPort(long pid) {
        return Stream.of(ProcFiles.read(pid, "environ").split("\0"))
                .filter(variable -> variable.startsWith(PORT))
                .mapToInt(variable -> Integer.parseInt(variable.substring(PORT.length())))
                .findFirst();
    }

    private String scrape(int port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/prometheus"))
                .header("Authorization", "Bearer " + token)
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? response.body() : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
