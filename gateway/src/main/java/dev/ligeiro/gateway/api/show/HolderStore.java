package dev.ligeiro.gateway.api.show;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.or;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;

import com.mongodb.ReadConcern;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.work.BatchedLookup;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds the transactions that hold an idempotency key or a reference, for repeated requests. Look-ups at the same time share a query,
 * and two queries run at once: so they never take more than two of the connections that creates need.
 *
 * <p>Reads with majority read concern, because a failover must not roll back a transaction that a response shows.
 */
@Component
public class HolderStore {

    private static final int IN_FLIGHT_MAX = 2;
    /** A look-up finds two transactions at most. */
    private static final int BATCH_MAX = GatewayMemoryBudget.HOLDERS_READ_MAX / IN_FLIGHT_MAX / 2;

    private static final int QUEUED_MAX = 2_000;
    private static final Duration SPACING = Duration.ofMillis(1);

    private final MongoCollection<Transaction> transactions;
    private final BatchedLookup<List<Unique>, List<Transaction>> lookups;

    HolderStore(MongoCollection<Transaction> transactions) {
        this.transactions = transactions.withReadConcern(ReadConcern.MAJORITY);
        this.lookups = new BatchedLookup<>(
                BATCH_MAX, IN_FLIGHT_MAX, QUEUED_MAX, SPACING, this::findBatch, Problems::isUnavailable);
    }

    /** The tenant's transaction that has this idempotency key, see {@link Transaction#idempotencyKeys}, or empty. */
    public Mono<Transaction> byKey(Tenant tenant, String key) {
        return byKeyOrReference(tenant, key, null)
                .flatMap(holders -> Mono.justOrEmpty(holders.stream().findFirst()));
    }

    /**
     * The tenant's transactions that have the idempotency key or the reference: two at most. One query finds both: of two queries, only
     * the second might see a transaction that has both, and it would be taken for one with the reference only.
     */
    public Mono<List<Transaction>> byKeyOrReference(Tenant tenant, @Nullable String key, @Nullable String reference) {
        List<Unique> wanted = new ArrayList<>();
        if (key != null) {
            wanted.add(new Unique(tenant, TransactionFields.IDEMPOTENCY_KEYS, key));
        }
        if (reference != null) {
            wanted.add(new Unique(tenant, TransactionFields.REFERENCE, reference));
        }
        return wanted.isEmpty() ? Mono.just(List.of()) : lookups.find(wanted);
    }

    private Mono<Map<List<Unique>, List<Transaction>>> findBatch(List<List<Unique>> batch) {
        List<Bson> filters = new ArrayList<>();
        batch.stream()
                .flatMap(List::stream)
                .collect(groupingBy(Unique::index, mapping(Unique::value, toSet())))
                .forEach((index, values) ->
                        filters.add(and(eq(TransactionFields.TENANT, index.tenant.key()), in(index.field, values))));
        return Flux.from(transactions.find(or(filters)).batchSize(2 * BATCH_MAX))
                .collectList()
                .map(found -> holders(batch, byUnique(found)));
    }

    private static Map<List<Unique>, List<Transaction>> holders(
            List<List<Unique>> batch, Map<Unique, Transaction> found) {
        Map<List<Unique>, List<Transaction>> holders = new HashMap<>();
        for (List<Unique> wanted : batch) {
            holders.put(
                    wanted,
                    wanted.stream()
                            .map(found::get)
                            .filter(Objects::nonNull)
                            .distinct()
                            .toList());
        }
        return holders;
    }

    private static Map<Unique, Transaction> byUnique(List<Transaction> found) {
        Map<Unique, Transaction> holders = new HashMap<>();
        for (Transaction holder : found) {
            holder.idempotencyKeys()
                    .forEach(key ->
                            holders.put(new Unique(holder.tenant(), TransactionFields.IDEMPOTENCY_KEYS, key), holder));
            if (holder.terms().reference() != null) {
                holders.put(
                        new Unique(
                                holder.tenant(),
                                TransactionFields.REFERENCE,
                                holder.terms().reference()),
                        holder);
            }
        }
        return holders;
    }

    /** One tenant's part of a unique index. A filter for each lets MongoDB use the index. */
    private record Index(Tenant tenant, String field) {}

    /** A value that at most one transaction has. */
    private record Unique(Index index, String value) {

        private Unique(Tenant tenant, String field, String value) {
            this(new Index(tenant, field), value);
        }
    }
}
