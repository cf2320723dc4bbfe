package dev.ligeiro.gateway.api.webhook.replay;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.view.Timestamps;
import org.springframework.stereotype.Component;

/** The response body. */
@Component
class ReplayJson {

    private final Timestamps timestamps;

    ReplayJson(GatewayProperties properties) {
        this.timestamps = new Timestamps(properties.timeZone());
    }

    byte[] one(Replay replay) {
        return JsonResponse.object(json -> {
            json.writeStringProperty("id", replay.id().toString());
            json.writeStringProperty("status", replay.state().code());
            json.writeStringProperty("from", replay.request().from().toString());
            json.writeStringProperty("to", replay.request().to().toString());
            json.writeStringProperty(
                    "delivery_status", replay.request().status().code());
            json.writeNumberProperty("looked_at", replay.looked());
            json.writeNumberProperty("scheduled", replay.scheduled());
            json.writeStringProperty("date_created", timestamps.format(replay.createdAt()));
        });
    }
}
