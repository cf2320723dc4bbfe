package dev.ligeiro.bundle;

import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.store.StoredPosting;
import dev.ligeiro.transaction.Transaction;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One transaction with its disputes, postings and deliveries, without the parts that its reader may not see.
 *
 * @param postings null if the reader may not see the books
 * @param deliveries null if the reader may not see webhooks
 */
public record Bundle(
        Transaction transaction,
        String merchantName,
        List<StoredDispute> disputes,
        @Nullable List<StoredPosting> postings,
        @Nullable Deliveries deliveries) {

    /**
     * The deliveries of a transaction's events.
     *
     * @param urls of the endpoints that exist; only the hosts are shown, because a URL may contain a secret
     * @param complete false if there are more, or one of them cannot be read
     */
    public record Deliveries(List<StoredDelivery> stored, Map<UUID, String> urls, boolean complete) {

        /** Bounds the size of a bundle: a delivery has up to 12 kB. */
        public static final int MAX = 100;

        /**
         * @param found up to {@link #MAX} and one more; null stands for one that cannot be read
         */
        public static Deliveries of(List<@Nullable StoredDelivery> found, Map<UUID, String> urls) {
            List<StoredDelivery> readable =
                    found.stream().limit(MAX).flatMap(Stream::ofNullable).toList();
            return new Deliveries(readable, urls, readable.size() == found.size());
        }

        String host(UUID endpointId) {
            String url = urls.get(endpointId);
            try {
                return Objects.requireNonNullElse(url == null ? null : new URI(url).getHost(), "");
            } catch (URISyntaxException damaged) {
                return "";
            }
        }
    }
}
