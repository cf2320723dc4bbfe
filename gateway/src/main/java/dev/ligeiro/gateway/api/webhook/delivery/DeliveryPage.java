package dev.ligeiro.gateway.api.webhook.delivery;

import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.webhook.DeliveryId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of deliveries.
 *
 * @param next the last delivery that was looked at; null on the last page
 */
record DeliveryPage(List<StoredDelivery> items, @Nullable DeliveryId next) {

    static final int ITEMS_MAX = 100;

    /**
     * The first deliveries of {@code found} that match. If more were found than read, or {@code found} has more than fit, another page
     * follows.
     *
     * @param found the deliveries in the order of the list; those that cannot be decoded are left out
     * @param isWhole whether no delivery follows those of {@code found}
     */
    static DeliveryPage of(List<DeliveryListStore.Row> found, boolean isWhole, @Nullable StatusFilter filter) {
        List<StoredDelivery> items = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            DeliveryListStore.Row row = found.get(i);
            StoredDelivery each = row.delivery();
            if (each != null && (filter == null || filter.statuses().contains(each.status()))) {
                items.add(each);
            }
            boolean isLast = i + 1 == found.size();
            if (items.size() == ITEMS_MAX || isLast) {
                return new DeliveryPage(List.copyOf(items), isLast && isWhole ? null : row.id());
            }
        }
        return new DeliveryPage(List.of(), null);
    }
}
