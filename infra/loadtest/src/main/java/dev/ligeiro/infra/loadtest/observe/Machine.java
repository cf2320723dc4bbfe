package dev.ligeiro.infra.loadtest.observe;

import java.util.Comparator;

/** What the run was made on. */
public record Machine(int cores, String model, long memoryMegabytes, String kernel) {

    public static Machine own() {
        String cpus = ProcFiles.read("cpuinfo");
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                field(cpus, "model name"),
                Memory.kilobytes(ProcFiles.read("meminfo"), "MemTotal:") / 1024,
                System.getProperty("os.version"));
    }

    private static String field(String text, String name) {
        return text.lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .min(Comparator.naturalOrder())
                .orElse("unknown");
    }
}
