package dev.ligeiro.infra.loadtest.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class MeasureStartupTest {

    /** The JVM counts from its own start, which is later than the start of its process. */
    @Test
    void aProcessIsAtLeastAsOldAsItsJvm() {
        long jvm = ManagementFactory.getRuntimeMXBean().getUptime();

        assertThat(MeasureStartup.uptimeMillis(ProcessHandle.current().pid())).isBetween(jvm - 20, jvm + 60_000);
    }
}
