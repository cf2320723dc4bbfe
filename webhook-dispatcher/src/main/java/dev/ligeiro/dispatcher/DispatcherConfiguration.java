package dev.ligeiro.dispatcher;

import dev.ligeiro.message.Topics;
import dev.ligeiro.support.kafka.IntakeTopic;
import dev.ligeiro.support.work.BatchBytes;
import java.time.Clock;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The clock and the topic of this service, and the limit of its batches. */
@Configuration(proxyBeanMethods = false)
class DispatcherConfiguration {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    BatchBytes partBytes() {
        return new BatchBytes(DispatcherMemoryBudget.PART_BYTES_START, DispatcherMemoryBudget.PART_BYTES_MAX);
    }

    @Bean
    IntakeTopic intakeTopic() {
        return new IntakeTopic(Topics.EVENTS, List.of());
    }
}
