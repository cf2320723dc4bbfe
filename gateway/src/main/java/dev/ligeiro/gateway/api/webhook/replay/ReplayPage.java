package dev.ligeiro.gateway.api.webhook.replay;

import dev.ligeiro.gateway.api.webhook.delivery.DeliveryRow;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.webhook.DeliveryId;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries that one step of a replay looks at.
 *
 * @param looked the number of deliveries
 * @param matching those that the replay sends again
 * @param next where the next step begins; null after the last one
 */
record ReplayPage(int looked, List<DeliveryId> matching, @Nullable DeliveryId next) {

    /**
     * @param found the deliveries in the order of the list; those that cannot be decoded are left out
     * @param isLast whether no delivery follows those of {@code found}
     */
    static ReplayPage of(List<DeliveryRow> found, boolean isLast, ReplayRequest request) {
        List<DeliveryId> matching = found.stream()
                .map(DeliveryRow::delivery)
                .flatMap(Stream::ofNullable)
                .filter(request::selects)
                .map(StoredDelivery::id)
                .toList();
        return new ReplayPage(
                found.size(),
                matching,
                isLast ? null : found.get(found.size() - 1).id());
    }
}
