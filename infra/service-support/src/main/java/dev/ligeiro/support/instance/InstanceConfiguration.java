package dev.ligeiro.support.instance;

import com.mongodb.reactivestreams.client.MongoDatabase;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Lets a service report itself, and show its version as a metric. */
@Configuration(proxyBeanMethods = false)
public class InstanceConfiguration {

    @Bean
    InstanceStore instanceStore(MongoDatabase database) {
        return new InstanceStore(database);
    }

    @Bean
    ReportInstance reportInstance(
            InstanceStore store,
            MeterRegistry meters,
            Clock clock,
            @Value("${spring.application.name}") String name,
            ObjectProvider<BuildProperties> build) {
        BuildProperties properties = build.getIfAvailable();
        String module = properties == null ? null : properties.getArtifact();
        return new ReportInstance(store, meters, clock, module == null ? name : module, version(build));
    }

    @Bean
    MeterBinder buildInfo(ObjectProvider<BuildProperties> build) {
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
