package dev.ligeiro.dispatcher.payload;

import dev.ligeiro.message.EventId;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.view.WebhookPayload;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Builds payloads from stored transactions, for deliveries that are scheduled again after their end. Later entries of the history are
 * left out, so a payload has the same bytes as the one built from the event.
 */
@Component
public class StoredPayloads {

    private final TransactionStore transactions;
    private final WebhookPayload payload;

    StoredPayloads(TransactionStore transactions, WebhookPayload payload) {
        this.transactions = transactions;
        this.payload = payload;
    }

    /** The payloads of {@code events}. An event without one has no stored transaction, or its transaction does not announce it. */
    public Mono<Map<EventId, byte[]>> of(Collection<EventId> events) {
        if (events.isEmpty()) {
            return Mono.just(Map.of());
        }
        Set<TransactionId> ids = events.stream().map(EventId::transactionId).collect(Collectors.toSet());
        return transactions
                .find(ids)
                .collectMap(Transaction::id)
                .publishOn(Schedulers.parallel())
                .map(found -> payloads(events, found));
    }

    private Map<EventId, byte[]> payloads(Collection<EventId> events, Map<TransactionId, Transaction> found) {
        Map<EventId, byte[]> payloads = new HashMap<>();
        for (EventId event : events) {
            TransactionEvent.find(found.get(event.transactionId()), event.sequence())
                    .ifPresent(stored -> payloads.put(event, payload.of(stored)));
        }
        return payloads;
    }
}
