package dev.ligeiro.infra.loadtest.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineCpuTest {

    @Test
    void addsUpWhatIsNeitherIdleNorStolen() {
        MachineCpu cpu = MachineCpu.parse("cpu  100 20 30 4000 500 6 7 80 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n");

        assertThat(cpu.busyMicros()).isEqualTo((100 + 20 + 30 + 6 + 7) * 10_000L);
        assertThat(cpu.stolenMicros()).isEqualTo(80 * 10_000L);
    }
}
