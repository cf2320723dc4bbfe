package dev.ligeiro.infra.loadtest.observe;

/** How long a process runs, by the machine's own clock, in steps of 10 ms. */
public final class Uptime {

    private Uptime() {}

    public static long millis(long pid) {
        return Math.round(machineSeconds(ProcFiles.read("uptime")) * 1000)
                - Processes.stat(pid).startedMicros() / 1000;
    }

    static double machineSeconds(String uptime) {
        return Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
    }
}
