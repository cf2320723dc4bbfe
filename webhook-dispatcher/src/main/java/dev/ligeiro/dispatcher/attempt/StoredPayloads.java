package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.support.work.BatchedLookup;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.view.WebhookPayload;
import dev.ligeiro.webhook.DeliveryId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The payloads of stored deliveries, which are stored without: they are built from the stored transactions. Later entries of a history are
 * left out, so a payload has the same bytes as the one built from the event. Requests at the same time share a query, and a transaction
 * that several of them want is read once.
 *
 * <p>Memory: one query runs at a time, of {@link DispatcherMemoryBudget#TRANSACTIONS_READ_MAX} transactions at most, which are decoded one after the
 * other.
 */
@Component
public class StoredPayloads {

    private static final Logger LOG = LoggerFactory.getLogger(StoredPayloads.class);

    private final PayloadStore store;
    private final WebhookPayload payload;
    private final BatchedLookup<DeliveryId, byte[]> lookup;

    StoredPayloads(PayloadStore store, ViewProperties view, WebhookProperties webhook) {
        this.store = store;
        this.payload = view.payload();
        this.lookup = new BatchedLookup<>(
                DispatcherMemoryBudget.PAYLOADS_READ_MAX,
                1,
                webhook.attemptsMax(),
                Duration.ZERO,
                this::read,
                outage -> true);
    }

    /**
     * The payload; empty if the transaction is not stored, cannot be decoded or does not announce the event. Fails if MongoDB does not
     * answer.
     */
    public Mono<byte[]> of(DeliveryId delivery) {
        return lookup.find(delivery);
    }

    private Mono<Map<DeliveryId, byte[]>> read(Collection<DeliveryId> wanted) {
        Map<TransactionId, Set<DeliveryId>> byTransaction = wanted.stream()
                .collect(Collectors.groupingBy(delivery -> delivery.eventId().transactionId(), Collectors.toSet()));
        Map<DeliveryId, byte[]> payloads = new HashMap<>();
        return Flux.fromIterable(byTransaction.keySet())
                .buffer(DispatcherMemoryBudget.TRANSACTIONS_READ_MAX)
                .concatMap(
                        ids -> store.transactions(ids)
                                .doOnNext(found ->
                                        payloads.putAll(build(found, byTransaction.getOrDefault(found.id(), Set.of()))))
                                .then(),
                        0)
                .then(Mono.defer(() -> withStored(wanted, payloads)));
    }

    /** All endpoints of an event share its payload. */
    private Map<DeliveryId, byte[]> build(Transaction transaction, Set<DeliveryId> wanted) {
        Map<Integer, byte[]> bySequence = new HashMap<>();
        Map<DeliveryId, byte[]> built = new HashMap<>();
        for (DeliveryId delivery : wanted) {
            byte[] body =
                    bySequence.computeIfAbsent(delivery.eventId().sequence(), sequence -> build(transaction, sequence));
            if (body != null) {
                built.put(delivery, body);
            }
        }
        return built;
    }

    /** Null if the transaction does not announce the event. A bug must not stop the deliveries of other events, so it gives null too. */
    private byte @Nullable [] build(Transaction transaction, int sequence) {
        try {
            return TransactionEvent.find(transaction, sequence).map(payload::of).orElse(null);
        } catch (RuntimeException bug) {
            LOG.atError()
                    .addKeyValue("event.action", "payload_not_built")
                    .addKeyValue("transaction_id", transaction.id())
                    .addKeyValue("sequence", sequence)
                    .addKeyValue("cause", bug.getClass().getName())
                    .log("A payload cannot be built; the webhook is not sent");
            return null;
        }
    }

    /** Test events, which no transaction stands behind, are stored with their payloads. */
    private Mono<Map<DeliveryId, byte[]>> withStored(Collection<DeliveryId> wanted, Map<DeliveryId, byte[]> payloads) {
        List<DeliveryId> missing = wanted.stream()
                .filter(delivery -> !payloads.containsKey(delivery))
                .toList();
        return missing.isEmpty()
                ? Mono.just(payloads)
                : store.stored(missing).doOnNext(payloads::putAll).thenReturn(payloads);
    }
}
