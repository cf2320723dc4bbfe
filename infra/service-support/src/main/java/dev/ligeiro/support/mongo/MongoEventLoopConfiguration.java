package dev.ligeiro.support.mongo;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * One thread for all MongoDB connections of the service. That is enough for a service that reads and writes whole batches: it has
 * a handful of operations under way.
 */
@Configuration(proxyBeanMethods = false)
public class MongoEventLoopConfiguration {

    @Bean(destroyMethod = "shutdownGracefully")
    MongoEventLoops mongoEventLoops() {
        return MongoEventLoops.oneThread();
    }
}
