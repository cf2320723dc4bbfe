package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.client.JsonApi;
import dev.ligeiro.infra.loadtest.merchant.Abuser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * An abuser in a process of its own, whose threads run only while no other thread wants a core. Real abusers have their own machines.
 * As threads of the generator's process, they and the JIT compiler took cores from the measured system for up to 100 ms.
 *
 * <p>When the load test dies, the end of its input ends the process.
 */
final class AbuserProcess implements Abuser {

    private static final String API_KEY = "LIGEIRO_ABUSER_API_KEY";
    private static final String STARTED = "started";

    /** Linux schedules a session as a group: without the first step, the group would have the weight of all services together. */
    private static final String ONLY_ON_IDLE_CORES =
            "[ -w /proc/self/autogroup ] && echo 19 > /proc/self/autogroup; exec chrt --idle 0 \"$@\"";

    private final Process process;
    private final BufferedReader output;
    private String answered = "not closed";

    /**
     * Returns when the abuse has begun.
     *
     * @param api the gateway's address, and the key of slow lists
     * @param number of users, of connections, or of requests a second
     */
    AbuserProcess(AbuseKind kind, JsonApi api, double number) {
        ProcessBuilder builder = new ProcessBuilder(command(kind, api.baseUrl(), number));
        builder.environment().put(API_KEY, Objects.requireNonNull(api.token(), "token"));
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        try {
            process = builder.start();
            output = process.inputReader();
            if (!STARTED.equals(output.readLine())) {
                throw new IllegalStateException(kind + ": the abuser's process has ended");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(kind + ": cannot be started", e);
        }
    }

    private static List<String> command(AbuseKind kind, String baseUrl, double number) {
        return List.of(
                "setsid",
                "/bin/sh",
                "-c",
                ONLY_ON_IDLE_CORES,
                "abuser",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                AbuserProcess.class.getName(),
                kind.name(),
                baseUrl,
                Double.toString(number));
    }

    /** The process: abuses until its input ends, then prints what it was answered. */
    public static void main(String... arguments) throws IOException {
        JsonApi api = new JsonApi(arguments[1], System.getenv(API_KEY));
        Abuser abuser = AbuseKind.valueOf(arguments[0]).start(api, Double.parseDouble(arguments[2]));
        System.out.println(STARTED);
        while (System.in.read() >= 0) {
            // its input is empty: only its end is waited for
        }
        abuser.close();
        System.out.println(abuser);
        System.exit(0);
    }

    /** @throws IllegalStateException when the process has ended before: then the measured creates had no abuser beside them */
    @Override
    public void close() {
        try (output) {
            process.getOutputStream().close();
            String last = output.readLine();
            if (last == null) {
                throw new IllegalStateException("an abuser's process has ended too early");
            }
            answered = last;
        } catch (IOException e) {
            throw new UncheckedIOException("an abuser's process has failed", e);
        }
    }

    @Override
    public String toString() {
        return answered;
    }
}
