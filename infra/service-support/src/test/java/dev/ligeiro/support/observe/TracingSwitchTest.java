package dev.ligeiro.support.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

class TracingSwitchTest {

    private static final String[] CANDIDATES = {
        "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
        "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration",
        "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
    };

    @Test
    void nothingOfTracesIsSetUpByDefault() {
        assertThat(wanted(new MockEnvironment())).containsExactly(false, false, true);
    }

    @Test
    void anEndpointSwitchesTracesOn() {
        MockEnvironment environment = new MockEnvironment()
                .withProperty(
                        "management.opentelemetry.tracing.export.otlp.endpoint", "http://localhost:4318/v1/traces");

        assertThat(wanted(environment)).containsExactly(true, true, true);
    }

    private static boolean[] wanted(MockEnvironment environment) {
        TracingSwitch tracing = new TracingSwitch();
        tracing.setEnvironment(environment);
        return tracing.match(CANDIDATES);
    }
}
