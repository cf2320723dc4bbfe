package dev.ligeiro.support.observe;

import dev.ligeiro.view.Timestamps;
import dev.ligeiro.view.TransactionView;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.ZoneId;

/**
 * The settings of a service that decide how a transaction is shown, as a metric. An alert compares it: where the gateway's and the
 * dispatcher's settings differ, webhooks have other times or payment links than the API.
 */
public record ViewSettings(ZoneId timeZone, String publicUrl) implements MeterBinder {

    public TransactionView view() {
        return new TransactionView(new Timestamps(timeZone), publicUrl);
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        Gauge.builder("ligeiro.view.settings", () -> 1)
                .description("The settings by which a transaction is shown, always 1")
                .tag("zone", timeZone.getId())
                .tag("url", publicUrl)
                .register(meters);
    }
}
