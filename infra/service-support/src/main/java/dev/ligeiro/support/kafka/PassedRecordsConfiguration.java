package dev.ligeiro.support.kafka;

import org.apache.kafka.clients.admin.Admin;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaAdmin;

/** For a service that asks how far a consumer group has come. It uses the settings of {@code spring.kafka.admin}. */
@Configuration(proxyBeanMethods = false)
public class PassedRecordsConfiguration {

    @Bean
    PassedRecords passedRecords(KafkaAdmin settings) {
        return new PassedRecords(() -> Admin.create(settings.getConfigurationProperties()));
    }

    @Bean
    GroupLag groupLag(PassedRecords records) {
        return new GroupLag(records);
    }
}
