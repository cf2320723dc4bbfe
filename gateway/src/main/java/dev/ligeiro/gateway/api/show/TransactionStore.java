package dev.ligeiro.gateway.api.show;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.or;
import static java.util.stream.Collectors.groupingBy;

import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.work.BatchedLookup;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads transactions. Concurrent reads by id share one query: in a batch of 24 a read costs a twelfth of a single read.
 */
@Component
public class TransactionStore {

    private static final int IN_FLIGHT_MAX = 2;
    private static final int QUEUED_MAX = 2_000;
    /** Shorter than for inserts: a read needs no journal, and a client may send reads one after the other. */
    private static final Duration SPACING = Duration.ofMillis(1);

    private final MongoCollection<Transaction> transactions;
    private final BatchedLookup<Seen, Transaction> reads;

    TransactionStore(MongoCollection<Transaction> transactions) {
        this.transactions = transactions;
        this.reads = new BatchedLookup<>(
                GatewayMemoryBudget.READ_MAX / IN_FLIGHT_MAX,
                IN_FLIGHT_MAX,
                QUEUED_MAX,
                SPACING,
                this::readChanged,
                Problems::isUnavailable);
    }

    /** The transaction, or empty. It may belong to any tenant: the calling code checks that. */
    public Mono<Transaction> find(TransactionId id) {
        return findChanged(id, 0);
    }

    /**
     * The transaction if its version is above {@code version}; else empty, which costs neither transfer nor decoding. Versions begin with 1.
     */
    public Mono<Transaction> findChanged(TransactionId id, int version) {
        return reads.find(new Seen(id, version));
    }

    /** The tenant's transaction; empty when the id is unknown or belongs to another tenant. */
    public Mono<Transaction> find(Tenant tenant, TransactionId id) {
        return find(id).filter(found -> found.tenant().equals(tenant));
    }

    /** Those of these transactions that have changed. The others cost neither transfer nor decoding. */
    private Mono<Map<Seen, Transaction>> readChanged(List<Seen> seen) {
        List<Bson> sameVersion = new ArrayList<>();
        seen.stream()
                .collect(groupingBy(Seen::version))
                .forEach((version, some) -> sameVersion.add(above(version, some)));
        Bson filter = sameVersion.size() == 1 ? sameVersion.get(0) : or(sameVersion);
        // MongoDB answers a full batch without saying that nothing follows, so the batch has room for one more
        return Flux.from(transactions.find(filter).batchSize(seen.size() + 1))
                .collectMap(Transaction::id)
                .map(changed -> bySeen(changed, seen));
    }

    private static Bson above(int version, List<Seen> some) {
        Bson ids = in(
                TransactionFields.ID,
                some.stream()
                        .map(one -> TransactionCodec.binary(one.id().value()))
                        .toList());
        return version == 0 ? ids : and(ids, gt(TransactionFields.VERSION, version));
    }

    private static Map<Seen, Transaction> bySeen(Map<TransactionId, Transaction> changed, List<Seen> seen) {
        Map<Seen, Transaction> found = new HashMap<>();
        for (Seen one : seen) {
            Transaction now = changed.get(one.id());
            if (now != null && now.version() > one.version()) {
                found.put(one, now);
            }
        }
        return found;
    }

    /** @param version the one that the reader knows; 0 when it knows none */
    private record Seen(TransactionId id, int version) {}
}
