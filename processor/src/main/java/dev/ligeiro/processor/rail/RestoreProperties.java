package dev.ligeiro.processor.rail;

import java.time.Instant;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The last restore of a backup. {@code application.yml} explains the key.
 *
 * @param at the rails may know transactions and refunds from before; the epoch if no backup was restored
 */
@ConfigurationProperties("ligeiro.restore")
public record RestoreProperties(@DefaultValue("1970-01-01T00:00:00Z") Instant at) {}
