package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A dispatcher that works on one lane at once, and an endpoint that it cannot decode. */
class UnreadableEndpointIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    static final StartedDispatcher DISPATCHER = new StartedDispatcher("ligeiro.webhook.lane.claimed-max=1");

    private static final TestEnvironment ENVIRONMENT = DISPATCHER.environment();

    @Test
    void itsLaneDoesNotTakeThePlaceOfOthers() {
        WebhookEndpoint unreadable = register("/unreadable");
        ENVIRONMENT.endpoints().set(unreadable, EndpointFields.URL, 7);
        makeDue(unreadable);
        await().atMost(SOON).until(() -> ENVIRONMENT.lanes().of(unreadable).containsKey(LaneFields.CLAIM));

        WebhookEndpoint readable = register("/readable");
        makeDue(readable);
        await().atMost(SOON)
                .until(() -> ENVIRONMENT.deliveries().status(readable).equals("delivered"));
        assertThat(ENVIRONMENT.deliveries().status(unreadable)).isEqualTo("scheduled");
    }

    private static WebhookEndpoint register(String path) {
        return ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), path);
    }

    private static void makeDue(WebhookEndpoint endpoint) {
        ENVIRONMENT.insertDue(endpoint);
        ENVIRONMENT.lanes().markDue(endpoint);
    }
}
