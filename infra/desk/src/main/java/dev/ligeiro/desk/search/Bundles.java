package dev.ligeiro.desk.search;

import dev.ligeiro.bundle.Bundle;
import dev.ligeiro.bundle.BundleWriter;
import dev.ligeiro.bundle.SigningKeys;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.webhook.DeliveryStore;
import dev.ligeiro.desk.webhook.EndpointStore;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Makes the defence bundles of transactions, with all that their merchants may see. */
@Component
class Bundles {

    private final SearchStore store;
    private final MerchantStore merchants;
    private final EndpointStore endpoints;
    private final DeliveryStore deliveries;
    private final BundleWriter writer;
    private final Clock clock;

    Bundles(
            SearchStore store,
            MerchantStore merchants,
            EndpointStore endpoints,
            DeliveryStore deliveries,
            SigningKeys keys,
            Clock clock,
            @Value("${ligeiro.time-zone}") ZoneId zone,
            @Value("${ligeiro.public-url}") String publicUrl) {
        this.store = store;
        this.merchants = merchants;
        this.endpoints = endpoints;
        this.deliveries = deliveries;
        this.writer = new BundleWriter(keys, zone, publicUrl);
        this.clock = clock;
    }

    /** @throws Problem 409 if there is no key that signs it */
    byte[] of(Transaction transaction) {
        if (!writer.hasKey()) {
            throw Problem.bundlesNotConfigured();
        }
        Map<UUID, String> urls = endpoints.urls(transaction.tenant());
        Bundle bundle = new Bundle(
                transaction,
                Objects.requireNonNullElse(merchants.name(transaction.tenant()).merchantName(), ""),
                store.disputes(transaction),
                store.postings(transaction),
                Bundle.Deliveries.of(
                        deliveries.ofTransaction(urls.keySet(), transaction.id(), Bundle.Deliveries.MAX + 1), urls));
        return writer.write(bundle, clock.instant());
    }
}
