package dev.ligeiro.dispatcher;

import dev.ligeiro.message.Topics;
import dev.ligeiro.support.kafka.IntakeTopic;
import java.time.Clock;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The clock and the topic of this service. */
@Configuration(proxyBeanMethods = false)
class DispatcherConfiguration {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    IntakeTopic intakeTopic() {
        return new IntakeTopic(Topics.EVENTS, List.of());
    }
}
