package dev.ligeiro.support.mongo;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * One thread for all MongoDB connections of the service. It is enough for a service that reads and writes whole batches, because
 * only a few operations run at a time.
 */
@Configuration(proxyBeanMethods = false)
public class MongoEventLoopConfiguration {

    @Bean(destroyMethod = "shutdownGracefully")
    MongoEventLoops mongoEventLoops() {
        return MongoEventLoops.oneThread();
    }
}
