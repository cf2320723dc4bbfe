package dev.ligeiro.processor.intake;

import dev.ligeiro.message.Topics;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;

/** The topics that this service owns; {@link StartIntake} creates them. */
@Configuration(proxyBeanMethods = false)
class TopicConfiguration {

    private final TopicProperties properties;

    TopicConfiguration(TopicProperties properties) {
        this.properties = properties;
    }

    @Bean
    NewTopic commands() {
        return topic(Topics.COMMANDS);
    }

    @Bean
    NewTopic deadCommands() {
        return topic(Topics.deadLetter(Topics.COMMANDS));
    }

    @Bean
    NewTopic events() {
        return topic(Topics.EVENTS);
    }

    @Bean
    NewTopic deadEvents() {
        return topic(Topics.deadLetter(Topics.EVENTS));
    }

    private NewTopic topic(String name) {
        // one replica may be away; what is acknowledged is on all others, never on the leader alone where there are
        // three
        int inSync = Math.max(1, properties.replicas() - 1);
        return TopicBuilder.name(name)
                .partitions(properties.partitions())
                .replicas(properties.replicas())
                .config(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(inSync))
                .build();
    }
}
