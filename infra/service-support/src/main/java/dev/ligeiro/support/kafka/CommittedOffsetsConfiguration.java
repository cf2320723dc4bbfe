package dev.ligeiro.support.kafka;

import org.apache.kafka.clients.admin.Admin;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaAdmin;

/** For a service that asks how far a consumer group has come. It uses the settings of {@code spring.kafka.admin}. */
@Configuration(proxyBeanMethods = false)
public class CommittedOffsetsConfiguration {

    @Bean
    CommittedOffsets committedOffsets(KafkaAdmin settings) {
        return new CommittedOffsets(() -> Admin.create(settings.getConfigurationProperties()));
    }

    @Bean
    GroupLag groupLag(CommittedOffsets records) {
        return new GroupLag(records);
    }
}
