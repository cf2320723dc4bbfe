package dev.ligeiro.support.observe;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Records traces if Spring Boot has set up an exporter for them. */
@Configuration(proxyBeanMethods = false)
public class TracesConfiguration {

    @Bean
    Traces traces(ObjectProvider<Tracer> tracer, ObjectProvider<SpanExporter> exporters) {
        return new Traces(exporters.stream().findAny().isPresent() ? tracer.getIfAvailable() : null);
    }
}
