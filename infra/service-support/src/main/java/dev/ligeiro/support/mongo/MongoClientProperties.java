package dev.ligeiro.support.mongo;

import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The time-outs of the MongoDB client. {@code connectTimeoutMS}, {@code serverSelectionTimeoutMS} and {@code timeoutMS} in
 * {@code spring.mongodb.uri} override them.
 *
 * @param connectTimeout limit of finding a server, and of opening a connection
 * @param operationTimeout limit of one operation from its call to its result, finding a server and retries included
 */
@Validated
@ConfigurationProperties("ligeiro.mongodb")
public record MongoClientProperties(
        @DefaultValue("5s") @DurationMin(millis = 100) @DurationMax(seconds = 30) Duration connectTimeout,
        @DefaultValue("5s") @DurationMin(millis = 100) @DurationMax(seconds = 60) Duration operationTimeout) {}
