package dev.ligeiro.desk;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import dev.ligeiro.support.BundleKeysConfiguration;
import dev.ligeiro.support.SecretKeysConfiguration;
import dev.ligeiro.support.kafka.KafkaProducerConfiguration;
import java.time.Clock;
import java.time.ZoneOffset;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
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
@Import({KafkaProducerConfiguration.class, SecretKeysConfiguration.class, BundleKeysConfiguration.class})
public class OperatorApplication {

    /** In milliseconds, as MongoDB stores times. */
    @Bean
    Clock clock() {
        return Clock.tickMillis(ZoneOffset.UTC);
    }

    /** Unordered, so it is applied last and overrides the URI: {@code w=1} there would let a stop or a decision be lost. */
    @Bean
    MongoClientSettingsBuilderCustomizer guarantees() {
        return settings -> settings.writeConcern(WriteConcern.MAJORITY.withJournal(true))
                .readConcern(ReadConcern.LOCAL)
                .readPreference(ReadPreference.primary())
                .retryWrites(true);
    }
}
