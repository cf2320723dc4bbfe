package dev.ligeiro.webhook;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether an endpoint receives webhooks.
 *
 * @param reason null while it is enabled
 * @param since when it was enabled or disabled; failures before the time of enabling do not count against it
 */
public record EndpointStatus(@Nullable DisabledReason reason, Instant since) {

    public static EndpointStatus enabled(Instant since) {
        return new EndpointStatus(null, since);
    }

    public static EndpointStatus disabled(DisabledReason reason, Instant since) {
        return new EndpointStatus(reason, since);
    }

    public boolean isEnabled() {
        return reason == null;
    }
}
