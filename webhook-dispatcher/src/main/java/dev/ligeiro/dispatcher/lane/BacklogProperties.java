package dev.ligeiro.dispatcher.lane;

import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How often the backlog is measured. Its key begins with {@code ligeiro.webhook.lane}, where operators have it already.
 *
 * @param sweepInterval the interval of looking for scheduled deliveries without a lane, and of the metrics of the backlog
 */
@Validated
@ConfigurationProperties("ligeiro.webhook.lane")
record BacklogProperties(@DefaultValue("15s") @DurationMin(millis = 1) Duration sweepInterval) {}
