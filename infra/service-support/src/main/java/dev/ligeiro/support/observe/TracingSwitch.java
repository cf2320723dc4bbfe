package dev.ligeiro.support.observe;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Leaves out Spring Boot's set-up of OpenTelemetry while no {@code management.opentelemetry} setting is there, so that a service without
 * traces has neither its threads nor its time at start.
 */
class TracingSwitch implements AutoConfigurationImportFilter, EnvironmentAware {

    private boolean on;

    @Override
    public void setEnvironment(Environment environment) {
        on = Binder.get(environment)
                .bind("management.opentelemetry", Bindable.mapOf(String.class, Object.class))
                .isBound();
    }

    @Override
    public boolean[] match(@Nullable String[] autoConfigurations, AutoConfigurationMetadata metadata) {
        return match(autoConfigurations);
    }

    boolean[] match(@Nullable String[] autoConfigurations) {
        boolean[] wanted = new boolean[autoConfigurations.length];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = on || !isTracing(autoConfigurations[i]);
        }
        return wanted;
    }

    private static boolean isTracing(@Nullable String autoConfiguration) {
        return autoConfiguration != null
                && (autoConfiguration.startsWith("org.springframework.boot.opentelemetry.")
                        || autoConfiguration.startsWith("org.springframework.boot.micrometer.tracing."));
    }
}
