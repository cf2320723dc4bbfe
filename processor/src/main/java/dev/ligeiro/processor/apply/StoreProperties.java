package dev.ligeiro.processor.apply;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How the processor uses MongoDB; application.yml says what each setting does.
 *
 * @param timeout of finding a server, of connecting, of an answer and of the write concern, each
 * @param ioThreads that serve all connections
 */
@Validated
@ConfigurationProperties("ligeiro.mongodb")
record StoreProperties(
        @DefaultValue("5s") @DurationMin(millis = 100) @DurationMax(seconds = 30) Duration timeout,
        @DefaultValue("1") @Min(1) @Max(16) int ioThreads) {}
