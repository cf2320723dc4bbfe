package dev.ligeiro.gateway.api.show;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.elemMatch;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.or;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.gateway.store.ArchiveStore;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.support.work.BatchedLookup;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonBinary;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads transactions by their ids, and those that hold an idempotency key or a reference, for repeated requests. Concurrent reads share one
 * query: in a batch of 24 a read costs a twelfth of a single read. Two queries of each kind run at once, so they never take more than four
 * of the connections that creates need.
 */
@Component
public class TransactionStore {

    private static final int IN_FLIGHT_MAX = 2;
    /** A look-up finds two transactions at most. */
    private static final int HOLDERS_BATCH_MAX = GatewayMemoryBudget.HOLDERS_READ_MAX / IN_FLIGHT_MAX / 2;

    private static final int QUEUED_MAX = 2_000;
    /** Shorter than for inserts: a read needs no journal, and a client may send reads one after the other. */
    private static final Duration SPACING = Duration.ofMillis(1);

    /** Without it, MongoDB would try each index that begins with the tenant, which is in the filters for sharded clusters. */
    private static final Bson BY_ID = Indexes.ascending(TransactionFields.ID);

    private final ArchiveStore archive;
    private final MongoCollection<Transaction> transactions;
    private final BatchedLookup<Wanted, Transaction> reads;
    /** With majority read concern, because a failover must not roll back a transaction that a repeated response shows. */
    private final MongoCollection<Transaction> holders;

    private final BatchedLookup<List<Unique>, List<Transaction>> holderReads;

    TransactionStore(MongoCollection<Transaction> transactions, ArchiveStore archive) {
        this.archive = archive;
        this.transactions = transactions;
        this.reads = new BatchedLookup<>(
                GatewayMemoryBudget.READ_MAX / IN_FLIGHT_MAX,
                IN_FLIGHT_MAX,
                QUEUED_MAX,
                SPACING,
                this::read,
                Problems::isUnavailable);
        this.holders = transactions.withReadConcern(ReadConcern.MAJORITY);
        this.holderReads = new BatchedLookup<>(
                HOLDERS_BATCH_MAX, IN_FLIGHT_MAX, QUEUED_MAX, SPACING, this::findHolders, Problems::isUnavailable);
    }

    /** The transaction of any tenant, or empty. Only for the checkout, which names no tenant: all shards are asked. */
    public Mono<Transaction> find(TransactionId id) {
        return reads.find(new Wanted(null, id, null));
    }

    /**
     * The tenant's transaction; empty when the id is unknown or belongs to another tenant.
     *
     * @throws Problem (in the result) 410 if the month in the id is archived
     */
    public Mono<Transaction> find(Tenant tenant, TransactionId id) {
        return archive.known()
                .flatMap(known -> known.has(id) ? Mono.error(archived(id)) : reads.find(new Wanted(tenant, id, null)));
    }

    private static Problem archived(TransactionId id) {
        YearMonth month = ArchiveFields.month(id);
        return Problem.of(
                        ProblemCode.TRANSACTION_ARCHIVED,
                        "The transactions of " + month + " are archived. The operator can bring the month back")
                .with("month", month);
    }

    /**
     * The transaction once the outcome of a request is in its history: an entry with the request's id, its idempotency key or its refund
     * reference; else empty, which costs neither transfer nor decoding. It may be found because of another request of the same batch.
     */
    public Mono<Transaction> findWithOutcome(
            Tenant tenant, TransactionId id, ChangeRef request, @Nullable String refundReference) {
        return reads.find(new Wanted(tenant, id, new Request(request, refundReference)));
    }

    private Mono<Map<Wanted, Transaction>> read(List<Wanted> wanted) {
        List<Wanted> ofTenants =
                wanted.stream().filter(one -> one.tenant != null).toList();
        List<Wanted> ofAny = wanted.stream().filter(one -> one.tenant == null).toList();
        Bson ofTheirs = and(in(TransactionFields.TENANT, tenants(ofTenants)), state(ofTenants));
        return Flux.concat(
                        ofTenants.isEmpty() ? Flux.empty() : find(ofTenants, ofTheirs),
                        ofAny.isEmpty()
                                ? Flux.empty()
                                : find(ofAny, Filters.empty()).comment(AllShards.CHECKOUT))
                .collectMap(Transaction::id)
                .map(found -> byWanted(found, wanted));
    }

    private FindPublisher<Transaction> find(List<Wanted> wanted, Bson condition) {
        List<BsonBinary> ids = wanted.stream()
                .map(one -> TransactionCodec.binary(one.id.value()))
                .toList();
        return transactions
                .find(and(in(TransactionFields.ID, ids), condition))
                .hint(BY_ID)
                // MongoDB answers a full batch without saying that nothing follows, so the batch has room for one more
                .batchSize(wanted.size() + 1);
    }

    private static Set<Long> tenants(List<Wanted> wanted) {
        return wanted.stream()
                .flatMap(one -> Stream.ofNullable(one.tenant))
                .map(Tenant::key)
                .collect(Collectors.toSet());
    }

    /** Matches the transactions wanted in any state, and those whose history has a wanted outcome. */
    private static Bson state(List<Wanted> wanted) {
        List<Request> requests =
                wanted.stream().flatMap(one -> Stream.ofNullable(one.outcomeOf)).toList();
        List<BsonBinary> inAnyState = wanted.stream()
                .filter(one -> one.outcomeOf == null)
                .map(one -> TransactionCodec.binary(one.id.value()))
                .toList();
        return requests.isEmpty() ? Filters.empty() : or(in(TransactionFields.ID, inAnyState), outcomes(requests));
    }

    private static Bson outcomes(List<Request> requests) {
        List<BsonBinary> ids = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        List<String> references = new ArrayList<>();
        for (Request request : requests) {
            ids.add(TransactionCodec.binary(request.change.id()));
            if (request.change.idempotencyKey() != null) {
                keys.add(request.change.idempotencyKey());
            }
            if (request.refundReference != null) {
                references.add(request.refundReference);
            }
        }
        return elemMatch(
                TransactionFields.HISTORY,
                or(
                        in(TransactionFields.CHANGE, ids),
                        in(TransactionFields.REFUND, ids),
                        in(TransactionFields.KEY, keys),
                        in(TransactionFields.REFERENCE, references)));
    }

    private static Map<Wanted, Transaction> byWanted(Map<TransactionId, Transaction> found, List<Wanted> wanted) {
        Map<Wanted, Transaction> byWanted = new HashMap<>();
        for (Wanted one : wanted) {
            Transaction transaction = found.get(one.id);
            if (transaction != null && (one.tenant == null || one.tenant.equals(transaction.tenant()))) {
                byWanted.put(one, transaction);
            }
        }
        return byWanted;
    }

    /**
     * @param tenant null for any
     * @param outcomeOf null for the transaction in any state
     */
    private record Wanted(@Nullable Tenant tenant, TransactionId id, @Nullable Request outcomeOf) {}

    private record Request(ChangeRef change, @Nullable String refundReference) {}

    /** The tenant's transaction that has this idempotency key, see {@link Transaction#idempotencyKeys}, or empty. */
    public Mono<Transaction> holder(Tenant tenant, String key) {
        return holders(tenant, key, null)
                .flatMap(holders -> Mono.justOrEmpty(holders.stream().findFirst()));
    }

    /**
     * The tenant's transactions that have the idempotency key or the reference: two at most. One query finds both: of two queries, only
     * the second might see a transaction that has both, and it would be taken for one with the reference only.
     */
    public Mono<List<Transaction>> holders(Tenant tenant, @Nullable String key, @Nullable String reference) {
        List<Unique> wanted = new ArrayList<>();
        if (key != null) {
            wanted.add(new Unique(tenant, TransactionFields.IDEMPOTENCY_KEYS, key));
        }
        if (reference != null) {
            wanted.add(new Unique(tenant, TransactionFields.REFERENCE, reference));
        }
        return wanted.isEmpty() ? Mono.just(List.of()) : holderReads.find(wanted);
    }

    private Mono<Map<List<Unique>, List<Transaction>>> findHolders(List<List<Unique>> batch) {
        List<Bson> filters = new ArrayList<>();
        batch.stream()
                .flatMap(List::stream)
                .collect(groupingBy(Unique::index, mapping(Unique::value, toSet())))
                .forEach((index, values) ->
                        filters.add(and(eq(TransactionFields.TENANT, index.tenant.key()), in(index.field, values))));
        return Flux.from(holders.find(or(filters)).batchSize(2 * HOLDERS_BATCH_MAX))
                .collectList()
                .map(found -> byWanted(batch, byUnique(found)));
    }

    private static Map<List<Unique>, List<Transaction>> byWanted(
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
