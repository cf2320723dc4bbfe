package dev.ligeiro.processor.intake;

import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * When the processor leaves its consumer group. {@code application.yml} explains the key.
 *
 * @param leaveGroupAfter how long MongoDB has not answered then
 */
@Validated
@ConfigurationProperties("ligeiro.intake")
record LeaveGroupProperties(
        @DefaultValue("30s") @DurationMin(seconds = 1) @DurationMax(hours = 1) Duration leaveGroupAfter) {}
