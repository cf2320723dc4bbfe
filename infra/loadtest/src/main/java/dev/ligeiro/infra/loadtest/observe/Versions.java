package dev.ligeiro.infra.loadtest.observe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * The versions of a run.
 *
 * @param jdk of the gateway's process
 * @param kafka of the client, which is that of the broker that {@code infra/run} starts
 * @param commit of the checkout, abbreviated
 * @param dirty whether tracked files of the checkout differed from the commit
 */
public record Versions(String jdk, String kafka, String mongod, String commit, boolean dirty) {

    private static final String UNKNOWN = "unknown";

    public static Versions of(Processes processes, String mongod, Path root) {
        List<Long> gateways = processes.pids().getOrDefault(Role.GATEWAY, List.of());
        return new Versions(
                gateways.isEmpty() ? UNKNOWN : jdk(gateways.get(0)),
                AppInfoParser.getVersion(),
                mongod,
                git(root, "rev-parse", "--short=10", "HEAD"),
                !git(root, "status", "--porcelain", "--untracked-files=no").isEmpty());
    }

    /** For documents. */
    public String commitText() {
        return "`" + commit + (dirty ? "` with uncommitted changes" : "`");
    }

    /** From the {@code release} file of the JDK that the process runs. */
    private static String jdk(long pid) {
        try {
            Path java = Path.of("/proc", Long.toString(pid), "exe").toRealPath();
            String release = Files.readString(java.resolveSibling("../release").normalize());
            return value(release, "IMPLEMENTOR") + " " + value(release, "JAVA_RUNTIME_VERSION");
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    static String value(String release, String name) {
        return release.lines()
                .filter(line -> line.startsWith(name + "="))
                .map(line -> line.substring(name.length() + 1).replace("\"", ""))
                .findFirst()
                .orElse("");
    }

    private static String git(Path root, String... arguments) {
        try {
            ProcessBuilder git = new ProcessBuilder("git", "-C", root.toString());
            git.command().addAll(List.of(arguments));
            Process process = git.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            byte[] output = process.getInputStream().readAllBytes();
            return process.waitFor() == 0 ? new String(output, StandardCharsets.UTF_8).strip() : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }
    }
}
