package dev.ligeiro.gateway.page.checkout;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.store.DecodeEach;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads what the checkout pages need besides the transaction: names of merchants, and the statuses of many transactions at once. */
@Component
class CheckoutStore {

    private static final Duration NAMES_CACHED_FOR = Duration.ofMinutes(1);

    private final DecodeEach decode;
    private final MongoCollection<Document> merchants;
    private final MongoCollection<Document> transactions;
    private final AsyncCache<Long, String> names = Caffeine.newBuilder()
            .expireAfterWrite(NAMES_CACHED_FOR)
            .maximumSize(GatewayMemoryBudget.SMALL_ENTRIES_MAX)
            .buildAsync();

    CheckoutStore(MongoDatabase database, DecodeEach decode) {
        this.decode = decode;
        this.merchants = database.getCollection("merchants");
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS);
    }

    /** The merchant's name, at most a minute old; {@code ""} when there is no such merchant. Read by the unique index over the numbers. */
    Mono<String> merchantName(Tenant tenant) {
        return Mono.fromFuture(
                names.get(tenant.merchantNumber(), (number, executor) -> readName(number)
                        .toFuture()),
                true);
    }

    private Mono<String> readName(long number) {
        return Mono.from(merchants.find(Filters.eq("number", number)).projection(Projections.include("name")))
                .map(merchant -> merchant.getString("name"))
                .defaultIfEmpty("");
    }

    /** The statuses of those that are no longer pending: nearly always few, and the others are not sent over the network. */
    Mono<Map<TransactionId, Status>> noLongerPending(List<TransactionId> ids) {
        return Flux.from(transactions
                        .find(Filters.and(
                                Filters.in(
                                        TransactionFields.ID,
                                        ids.stream()
                                                .map(id -> TransactionCodec.binary(id.value()))
                                                .toList()),
                                Filters.ne(TransactionFields.STATUS, Status.PENDING.code())))
                        .projection(Projections.include(TransactionFields.STATUS))
                        .comment(AllShards.CHECKOUT))
                .mapNotNull(this::read)
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** Null if a newer version has written the status, for example: the page keeps the one that it shows. */
    private Map.@Nullable Entry<TransactionId, Status> read(Document found) {
        TransactionId id = new TransactionId(found.get(TransactionFields.ID, UUID.class));
        return decode.orNull(
                CollectionNames.TRANSACTIONS,
                id,
                () -> Map.entry(id, Codes.get(Status.class, found.getString(TransactionFields.STATUS))));
    }
}
