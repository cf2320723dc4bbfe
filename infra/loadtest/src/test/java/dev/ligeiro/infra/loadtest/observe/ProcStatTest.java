package dev.ligeiro.infra.loadtest.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcStatTest {

    private static final String STAT =
            "4211 (a (b) c) S 4100 4211 4100 0 -1 4194304 98765 0 12 0 123 45 6 7 20 0 33 0 360123 "
                    + "2884180000 33340 18446744073709551615 1 1 0 0 0 0 0 0 16800975 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n";

    @Test
    void readsThroughAnyName() {
        ProcStat stat = ProcStat.parse(STAT);

        assertThat(stat.name()).isEqualTo("a (b) c");
        assertThat(stat.parent()).isEqualTo(4100);
    }

    @Test
    void countsUserAndKernelTimeOfTheProcessAlone() {
        assertThat(ProcStat.parse(STAT).cpuMicros()).isEqualTo((123 + 45) * 10_000L);
    }

    @Test
    void tellsWhenItWasStarted() {
        assertThat(ProcStat.parse(STAT).startedMicros()).isEqualTo(3_601_230_000L);
    }

    @Test
    void readsItsOwnProcess() {
        long own = ProcessHandle.current().pid();

        assertThat(Processes.stat(own).cpuMicros()).isPositive();
        assertThat(Memory.of(List.of(own)).rss()).isPositive();
        assertThat(Uptime.millis(own)).isPositive();
    }

    @Test
    void findsTheNumberOnALine() {
        assertThat(Memory.kilobytes("VmPeak:\t  900 kB\nVmRSS:\t  2304 kB\n", "VmRSS:"))
                .isEqualTo(2304);
        assertThat(Memory.kilobytes("", "VmRSS:")).isZero();
    }
}
