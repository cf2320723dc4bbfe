package dev.ligeiro.infra.loadtest.observe;

/** The machine of the run. */
public record Machine(int cores, String model, long memoryMegabytes, String kernel) {

    public static Machine own() {
        String model = Proc.read("cpuinfo")
                .lines()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown");
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                model,
                Proc.kilobytes(Proc.read("meminfo"), "MemTotal:") / 1024,
                System.getProperty("os.version"));
    }
}
