package dev.ligeiro.support.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TracesTest {

    private static final String SAMPLED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @Test
    void whatIsReadIsWrittenAgain() {
        SpanContext read = Traces.parse(SAMPLED).orElseThrow();

        assertThat(read.isSampled()).isTrue();
        assertThat(read.isRemote()).isTrue();
        assertThat(Traces.traceParent(read)).isEqualTo(SAMPLED);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "00",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            })
    void anyOtherFormIsIgnored(String value) {
        assertThat(Traces.parse(value)).isEmpty();
    }
}
