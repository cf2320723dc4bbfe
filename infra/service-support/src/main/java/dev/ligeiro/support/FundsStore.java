package dev.ligeiro.support;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Projections.include;

import com.mongodb.ReadConcern;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.EventId;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bson.Document;
import org.bson.conversions.Bson;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the balance of a tenant, and which of its reserved cashouts the balance has already. A reservation whose cashout is in the balance
 * takes nothing more from it.
 */
public final class FundsStore {

    private final MongoCollection<Document> balances;
    private final MongoCollection<Document> postings;

    public FundsStore(MongoDatabase database) {
        this.balances = database.getCollection(CollectionNames.BALANCES).withReadConcern(ReadConcern.MAJORITY);
        this.postings = database.getCollection(CollectionNames.POSTINGS).withReadConcern(ReadConcern.MAJORITY);
    }

    /**
     * A balance at one moment.
     *
     * @param balance the document of {@link BalanceFields}; empty for a tenant without postings
     * @param posted those of the asked cashouts that are in it
     */
    public record Funds(Document balance, Set<TransactionId> posted) {

        /** The merchant's account, in cents. */
        public long cents() {
            return balance.get(BalanceFields.MERCHANT) instanceof Number cents ? cents.longValue() : 0;
        }
    }

    /** The balance, by one query, and by a second one those of {@code cashouts} that are in it. It may lack the latest postings. */
    public Mono<Funds> read(Tenant tenant, Collection<TransactionId> cashouts) {
        return read(balances, tenant, cashouts);
    }

    /** The same, with all that any process has ever seen in the balance. A new primary would hide the latest until its first write. */
    public Mono<Funds> readLatest(Tenant tenant, Collection<TransactionId> cashouts) {
        return read(balances.withReadConcern(ReadConcern.LINEARIZABLE), tenant, cashouts);
    }

    private Mono<Funds> read(MongoCollection<Document> concerned, Tenant tenant, Collection<TransactionId> cashouts) {
        return Mono.from(concerned.find(eq(BalanceFields.ID, BalanceFields.id(tenant))))
                .defaultIfEmpty(new Document())
                .flatMap(balance -> posted(tenant, balance, cashouts).map(posted -> new Funds(balance, posted)));
    }

    /** A posting never changes its place, so it may be read after the balance. */
    private Mono<Set<TransactionId>> posted(Tenant tenant, Document balance, Collection<TransactionId> cashouts) {
        Document applied = balance.get(BalanceFields.APPLIED, new Document());
        if (cashouts.isEmpty() || applied.isEmpty()) {
            return Mono.just(Set.of());
        }
        List<String> events = cashouts.stream()
                .flatMap(EventId::ofSubmission)
                .map(EventId::toString)
                .toList();
        // a cashout's posting of its payment is of the same type, but moves the merchant's account no more
        Bson submissions = and(
                eq(PostingFields.TENANT, tenant.key()),
                in(PostingFields.ID, events),
                eq(PostingFields.TYPE, "cashout"),
                exists(PostingFields.GROSS));
        return Flux.from(postings.find(submissions)
                        .projection(include(PostingFields.TRANSACTION_ID, PostingFields.SOURCE, PostingFields.OFFSET)))
                .filter(posting -> applied.get(posting.getString(PostingFields.SOURCE)) instanceof Long last
                        && posting.getLong(PostingFields.OFFSET) <= last)
                .map(posting -> new TransactionId(posting.get(PostingFields.TRANSACTION_ID, UUID.class)))
                .collect(Collectors.toUnmodifiableSet());
    }
}
