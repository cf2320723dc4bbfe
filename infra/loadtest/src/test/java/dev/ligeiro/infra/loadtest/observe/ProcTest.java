package dev.ligeiro.infra.loadtest.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcTest {

    private static final String STAT =
            "4211 (a (b) c) S 4100 4211 4100 0 -1 4194304 98765 0 12 0 123 45 6 7 20 0 33 0 360123 2884180000 33340"
                    + " 18446744073709551615 1 1 0 0 0 0 0 0 16800975 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n";

    @Test
    void readsThroughAnyName() {
        Proc.Stat stat = Proc.Stat.parse(STAT);

        assertThat(stat.name()).isEqualTo("a (b) c");
        assertThat(stat.parent()).isEqualTo(4100);
    }

    @Test
    void countsUserAndKernelTimeOfTheProcessAlone() {
        assertThat(Proc.Stat.parse(STAT).cpuMicros()).isEqualTo((123 + 45) * 10_000L);
    }

    @Test
    void tellsWhenItWasStarted() {
        assertThat(Proc.Stat.parse(STAT).startedMicros()).isEqualTo(3_601_230_000L);
    }

    @Test
    void readsItsOwnProcess() {
        long own = ProcessHandle.current().pid();

        assertThat(Proc.stat(own).cpuMicros()).isPositive();
        assertThat(Processes.Memory.of(List.of(own)).rss()).isPositive();
        assertThat(Proc.uptimeMillis(own)).isPositive();
    }

    @Test
    void findsTheNumberOnALine() {
        assertThat(Proc.kilobytes("VmPeak:\t  900 kB\nVmRSS:\t  2304 kB\n", "VmRSS:"))
                .isEqualTo(2304);
        assertThat(Proc.kilobytes("", "VmRSS:")).isZero();
    }

    @Test
    void addsUpTheTimeThatIsNeitherIdleNorStolen() {
        Proc.MachineCpu cpu = Proc.MachineCpu.parse("cpu  100 20 30 4000 500 6 7 80 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n");

        assertThat(cpu.busyMicros()).isEqualTo((100 + 20 + 30 + 6 + 7) * 10_000L);
        assertThat(cpu.stolenMicros()).isEqualTo(80 * 10_000L);
    }
}
