package dev.ligeiro.gateway.store;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.or;
import static java.util.stream.Collectors.groupingBy;

import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.conversions.Bson;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads transactions by {@code _id}: each call is one query with one answer. */
public final class TransactionsById {

    private TransactionsById() {}

    /** The stored ones of these transactions. */
    public static Mono<Map<TransactionId, Transaction>> find(
            MongoCollection<Transaction> transactions, Collection<TransactionId> ids) {
        if (ids.isEmpty()) {
            return Mono.just(Map.of());
        }
        return read(transactions, in(ids.stream()), ids.size()).collectMap(Transaction::id);
    }

    /** Those of these transactions that have changed. The others cost neither transfer nor decoding. */
    public static Mono<Map<Seen, Transaction>> findChanged(
            MongoCollection<Transaction> transactions, Collection<Seen> seen) {
        if (seen.isEmpty()) {
            return Mono.just(Map.of());
        }
        List<Bson> sameVersion = new ArrayList<>();
        seen.stream().collect(groupingBy(Seen::version)).forEach((version, some) -> sameVersion.add(in(some, version)));
        return read(transactions, sameVersion.size() == 1 ? sameVersion.get(0) : or(sameVersion), seen.size())
                .collectMap(Transaction::id)
                .map(changed -> changed(changed, seen));
    }

    /** @param version the one that the reader knows; 0 when it knows none */
    public record Seen(TransactionId id, int version) {}

    private static Map<Seen, Transaction> changed(Map<TransactionId, Transaction> changed, Collection<Seen> seen) {
        Map<Seen, Transaction> found = new HashMap<>();
        for (Seen one : seen) {
            Transaction now = changed.get(one.id());
            if (now != null && now.version() > one.version()) {
                found.put(one, now);
            }
        }
        return found;
    }

    private static Bson in(List<Seen> some, int version) {
        Bson ids = in(some.stream().map(Seen::id));
        return version == 0 ? ids : and(ids, gt(TransactionFields.VERSION, version));
    }

    private static Bson in(Stream<TransactionId> ids) {
        return Filters.in(
                TransactionFields.ID,
                ids.distinct().map(id -> TransactionCodec.binary(id.value())).toList());
    }

    private static Flux<Transaction> read(MongoCollection<Transaction> transactions, Bson filter, int count) {
        // MongoDB answers a full batch without saying that nothing follows, so the batch has room for one more
        return Flux.from(transactions.find(filter).batchSize(count + 1));
    }
}
