package dev.ligeiro.processor.intake;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The topics that this service creates. {@code application.yml} explains each key.
 *
 * @param partitions of the topics of commands and of events
 * @param replicas of each partition of each topic
 * @param retention how long Kafka keeps commands and events
 * @param deadLetterRetention how long Kafka keeps dead letters
 */
@Validated
@ConfigurationProperties("ligeiro.kafka")
record TopicProperties(
        @DefaultValue("24") @Min(1) @Max(1000) int partitions,
        @DefaultValue("1") @Min(1) @Max(10) short replicas,
        @DefaultValue("7d") @DurationMin(hours = 1) Duration retention,
        @DefaultValue("30d") @DurationMin(hours = 1) Duration deadLetterRetention) {}
