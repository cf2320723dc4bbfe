package dev.ligeiro.infra.loadtest.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessesTest {

    private static final long OWN = ProcessHandle.current().pid();

    private final Processes own =
            new Processes(new EnumMap<>(Map.of(Role.GATEWAY, List.of(OWN), Role.MONGOD, List.of(OWN, OWN))));

    @Test
    void addsUpTheCpuOfARole() {
        Map<Role, Long> cpu = own.cpuMicros();

        assertThat(cpu.get(Role.GATEWAY)).isPositive();
        assertThat(cpu.get(Role.MONGOD)).isGreaterThanOrEqualTo(2 * cpu.getOrDefault(Role.GATEWAY, 0L));
        assertThat(cpu.get(Role.GENERATOR)).isPositive();
        assertThat(cpu.get(Role.RECEIVER)).isZero();
    }

    @Test
    void addsUpTheTimeOfTheMachineThatIsNeitherIdleNorStolen() {
        Processes.Machine cpu =
                Processes.Machine.parse("cpu  100 20 30 4000 500 6 7 80 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n");

        assertThat(cpu.busyMicros()).isEqualTo((100 + 20 + 30 + 6 + 7) * 10_000L);
        assertThat(cpu.stolenMicros()).isEqualTo(80 * 10_000L);
    }
}
