package dev.ligeiro.desk;

import dev.ligeiro.support.SecretKeysConfiguration;
import dev.ligeiro.support.kafka.KafkaProducerConfiguration;
import java.time.Clock;
import java.time.ZoneOffset;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;

/** The operators' API and console. */
@SpringBootApplication(exclude = MongoReactiveAutoConfiguration.class)
@ComponentScan(
        excludeFilters =
                @ComponentScan.Filter(type = FilterType.REGEX, pattern = "dev\\.ligeiro\\.desk\\.console\\..*"))
@ConfigurationPropertiesScan
@Import({KafkaProducerConfiguration.class, SecretKeysConfiguration.class})
public class OperatorApplication {

    @Bean
    Clock clock() {
        return Clock.system(ZoneOffset.UTC);
    }
}
