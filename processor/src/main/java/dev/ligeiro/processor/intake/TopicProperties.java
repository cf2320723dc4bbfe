package dev.ligeiro.processor.intake;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/** The form of the topics that this service creates; application.yml says what each setting does. */
@Validated
@ConfigurationProperties("ligeiro.kafka")
record TopicProperties(
        @DefaultValue("24") @Min(1) @Max(1000) int partitions, @DefaultValue("1") @Min(1) @Max(10) short replicas) {}
