package dev.ligeiro.infra.loadtest.observe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * What was measured.
 *
 * @param jdk of the gateway's process
 * @param kafka of the broker, which is that of the client
 * @param commit with {@code -dirty} when the checkout differs from it
 */
public record Versions(String jdk, String kafka, String mongod, String commit) {

    public static Versions of(Processes processes, String mongod, Path root) {
        List<Long> gateways = processes.pids().getOrDefault(Role.GATEWAY, List.of());
        return new Versions(
                gateways.isEmpty() ? "unknown" : jdk(gateways.get(0)),
                AppInfoParser.getVersion(),
                mongod,
                commit(root));
    }

    /** From the {@code release} file of the JDK that the process runs. */
    private static String jdk(long pid) {
        try {
            Path java = Path.of("/proc", Long.toString(pid), "exe").toRealPath();
            String release = Files.readString(java.resolveSibling("../release").normalize());
            return value(release, "IMPLEMENTOR") + " " + value(release, "JAVA_RUNTIME_VERSION");
        } catch (IOException e) {
            return "unknown";
        }
    }

    static String value(String release, String name) {
        return release.lines()
                .filter(line -> line.startsWith(name + "="))
                .map(line -> line.substring(name.length() + 1).replace("\"", ""))
                .findFirst()
                .orElse("");
    }

    private static String commit(Path root) {
        try {
            Process git = new ProcessBuilder(
                            "git", "-C", root.toString(), "describe", "--always", "--dirty", "--exclude=*")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return said.isEmpty() ? "unknown" : said;
        } catch (IOException e) {
            return "unknown";
        }
    }
}
