package dev.ligeiro.infra.loadtest.observe;

import java.util.List;

/**
 * Memory of a role's processes in kB.
 *
 * @param rss resident, shared pages counted in each process
 * @param pss resident, shared pages divided among those who share them
 */
public record Memory(long rss, long pss) {

    static Memory of(List<Long> pids) {
        long rss = 0;
        long pss = 0;
        for (long pid : pids) {
            rss += kilobytes(ProcFiles.read(pid, "status"), "VmRSS:");
            pss += kilobytes(ProcFiles.read(pid, "smaps_rollup"), "Pss:");
        }
        return new Memory(rss, pss);
    }

    /** The number on the line that starts with {@code label}; 0 when there is none. */
    static long kilobytes(String text, String label) {
        return text.lines()
                .filter(line -> line.startsWith(label))
                .map(line -> line.substring(label.length()).replace("kB", "").strip())
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(0);
    }
}
