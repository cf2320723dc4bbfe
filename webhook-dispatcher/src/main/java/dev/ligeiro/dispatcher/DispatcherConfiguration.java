package dev.ligeiro.dispatcher;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The clock of this service. */
@Configuration(proxyBeanMethods = false)
class DispatcherConfiguration {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }
}
