package dev.ligeiro.support.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Shows the version of a service as a metric. */
@Configuration(proxyBeanMethods = false)
public class BuildInfo {

    @Bean
    MeterBinder buildInfoGauge(ObjectProvider<BuildProperties> build) {
        return meters -> Gauge.builder("ligeiro.build.info", () -> 1)
                .description("The version of the service, always 1")
                .tag("version", version(build))
                .register(meters);
    }

    /** That of the module; unknown to a process that an IDE has built. */
    private static String version(ObjectProvider<BuildProperties> build) {
        BuildProperties properties = build.getIfAvailable();
        String version = properties == null ? null : properties.getVersion();
        return version == null ? "unknown" : version;
    }
}
