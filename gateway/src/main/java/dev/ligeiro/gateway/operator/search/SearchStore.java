package dev.ligeiro.gateway.operator.search;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static dev.ligeiro.store.TransactionFields.*;

import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.store.DecodeEach;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.merchant.LiveMode;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardTotalsFields;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds transactions of many tenants by indexes that begin with the tenant: it names all tenants. A tenant costs a look in the index, 3 to 5 µs
 * in mongod, so the caller bounds their number.
 */
@Component
public class SearchStore {

    /** What {@link FoundTransaction} has of a document. */
    public static final Bson FIELDS =
            Projections.include(TENANT, OPERATION, STATUS, AMOUNT, END_TO_END_ID, HISTORY + "." + END_TO_END_ID);

    private static final int READ_MAX = AdminPage.ITEMS_MAX + 1;

    private final MongoCollection<BsonDocument> transactions;
    private final MongoCollection<BsonDocument> postings;
    private final MongoCollection<Document> guardTotals;
    private final LiveMode liveMode;
    private final DecodeEach decode;

    SearchStore(LongReads reads, LiveMode liveMode, DecodeEach decode) {
        MongoDatabase database = reads.database();
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class);
        this.postings = database.getCollection(CollectionNames.POSTINGS, BsonDocument.class);
        this.guardTotals = database.getCollection(CollectionNames.GUARD_TOTALS);
        this.liveMode = liveMode;
        this.decode = decode;
    }

    /** Those that exist, by their ids. */
    public Mono<Map<UUID, FoundTransaction>> all(Collection<UUID> ids) {
        return byIds(ids)
                .map(found -> found.stream().collect(Collectors.toMap(FoundTransaction::id, Function.identity())));
    }

    /** Those that exist, the newest first. */
    Mono<List<FoundTransaction>> byIds(Collection<UUID> ids) {
        List<BsonBinary> wanted =
                ids.stream().distinct().map(TransactionCodec::binary).toList();
        return wanted.isEmpty()
                ? Mono.just(List.of())
                : read(transactions.find(in(ID, wanted)).hint(Indexes.ascending(ID)), wanted.size() + 1);
    }

    /** At most one of each tenant, by the unique index of references. */
    Mono<List<FoundTransaction>> byReference(List<Tenant> tenants, String reference) {
        return read(
                transactions
                        .find(and(of(tenants), eq(REFERENCE, reference)))
                        .hint(Indexes.ascending(TENANT, REFERENCE)),
                READ_MAX);
    }

    /**
     * Test transactions have an id that names the millisecond of their creation. The books know live ones by the rail's name and the id, once
     * they are paid. There is no index of end-to-end ids: it would cost each create.
     *
     * @param tenants null for all
     */
    Mono<List<FoundTransaction>> byEndToEndId(@Nullable List<Tenant> tenants, EndToEndId id) {
        Flux<UUID> created = Flux.from(Mono.justOrEmpty(id.generatedAt()))
                .flatMap(at -> transactions
                        .find(and(
                                gte(ID, TransactionCodec.binary(UuidV7.lowest(at.toEpochMilli()))),
                                lt(ID, TransactionCodec.binary(UuidV7.lowest(at.toEpochMilli() + 1))),
                                eq(END_TO_END_ID, id.value())))
                        .hint(Indexes.ascending(ID))
                        .projection(Projections.include(ID))
                        .comment(AllShards.OPERATOR)
                        .limit(READ_MAX))
                .map(SearchStore::id);
        Flux<UUID> booked = liveMode.rails().isEmpty()
                ? Flux.empty()
                : Flux.from(postings.find(and(
                                        in(PostingFields.RAIL_NAME, liveMode.rails()),
                                        eq(PostingFields.RAIL_ID, id.value())))
                                .hintString(PostingFields.RAIL_ID_INDEX)
                                .projection(Projections.include(PostingFields.TRANSACTION_ID))
                                .comment(AllShards.OPERATOR)
                                .limit(READ_MAX))
                        .map(found -> uuid(found, PostingFields.TRANSACTION_ID));
        return Flux.concat(created, booked).collectList().flatMap(this::byIds).map(found -> found.stream()
                .filter(one -> one.endToEndId().equals(id.value()))
                .filter(one -> tenants == null || tenants.contains(one.tenant()))
                .toList());
    }

    /** What a cashout takes from the balance, commission included, while the merchant's funds are checked; empty without a reservation. */
    Mono<Amount> reservation(Tenant tenant, TransactionId id) {
        return Mono.from(guardTotals
                        .find(eq(GuardTotalsFields.ID, tenant.key()))
                        .projection(Projections.elemMatch(
                                GuardTotalsFields.RESERVED, eq(GuardTotalsFields.ID, id.value()))))
                .flatMap(totals ->
                        Mono.justOrEmpty(totals.getList(GuardTotalsFields.RESERVED, Document.class, List.of()).stream()
                                .findFirst()))
                .map(reserved -> new Amount(
                        reserved.getLong(GuardTotalsFields.CENTS) + reserved.getLong(GuardTotalsFields.COMMISSION)));
    }

    private Mono<List<FoundTransaction>> read(FindPublisher<BsonDocument> found, int max) {
        return Flux.from(found.projection(FIELDS)
                        .comment(AllShards.OPERATOR)
                        .limit(max)
                        .batchSize(max))
                .collectList()
                .map(documents -> documents.stream()
                        .flatMap(document -> Stream.ofNullable(decode.orNull(
                                CollectionNames.TRANSACTIONS, id(document), () -> FoundTransaction.of(document))))
                        .sorted(Comparator.comparing((FoundTransaction one) -> new TransactionId(one.id()))
                                .reversed())
                        .toList());
    }

    private static Bson of(List<Tenant> tenants) {
        return in(TENANT, tenants.stream().map(Tenant::key).toList());
    }

    private static UUID id(BsonDocument document) {
        return uuid(document, ID);
    }

    private static UUID uuid(BsonDocument document, String field) {
        return document.getBinary(field).asUuid(UuidRepresentation.STANDARD);
    }
}
