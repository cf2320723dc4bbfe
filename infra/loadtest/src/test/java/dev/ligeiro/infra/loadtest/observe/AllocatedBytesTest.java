package dev.ligeiro.infra.loadtest.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AllocatedBytesTest {

    @Test
    void addsUpAMetricWhateverItsLabels() {
        String metrics =
                """
                # TYPE jvm_gc_memory_allocated_bytes counter
                jvm_gc_memory_allocated_bytes_total{area="heap"} 1.5E9
                jvm_gc_memory_allocated_bytes_total_other 7.0
                """;

        assertThat(AllocatedBytes.sum(metrics, "jvm_gc_memory_allocated_bytes_total"))
                .isEqualTo(1_500_000_000L);
        assertThat(AllocatedBytes.sum("x_total 3.0\n", "x_total")).isEqualTo(3);
        assertThat(AllocatedBytes.sum("", "x_total")).isZero();
    }
}
