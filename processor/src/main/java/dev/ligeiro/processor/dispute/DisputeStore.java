package dev.ligeiro.processor.dispute;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lte;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What rails have said about disputes, and the transactions whose defences wait. All queries read entries of indexes only. A damaged document is
 * left out, so that it keeps no other from being found; that of a dispute is replaced when the rail tells the claim again.
 */
@Component
public class DisputeStore {

    private static final TransactionCodec CODEC = new TransactionCodec();
    private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);
    private static final List<String> UNDER_WAY = List.of(Dispute.Status.OPEN.code(), Dispute.Status.DEFENDED.code());

    private final MongoCollection<Document> disputes;
    private final MongoCollection<RawBsonDocument> transactions;

    DisputeStore(MongoDatabase database) {
        this.disputes = database.getCollection(CollectionNames.DISPUTES).withReadConcern(ReadConcern.MAJORITY);
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, RawBsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
    }

    /** The disputes that the commands report. Without such a command nothing is read. */
    public Mono<Map<UUID, StoredDispute>> reported(List<TransactionCommand> commands) {
        Set<UUID> ids = commands.stream()
                .filter(TransactionCommand.DisputeReport.class::isInstance)
                .map(command -> ((TransactionCommand.DisputeReport) command).dispute())
                .collect(Collectors.toSet());
        return ids.isEmpty() ? Mono.just(Map.of()) : find(ids);
    }

    Mono<Map<UUID, StoredDispute>> find(Collection<UUID> ids) {
        return Flux.from(disputes.find(in(StoredDispute.ID, ids)))
                .concatMap(DisputeStore::undamaged)
                .collectMap(StoredDispute::id)
                .onErrorMap(MongoFaults::classified);
    }

    private static Mono<StoredDispute> undamaged(Document found) {
        return Mono.fromCallable(() -> StoredDispute.read(found)).onErrorComplete();
    }

    Mono<Void> save(StoredDispute dispute) {
        return Mono.from(disputes.replaceOne(eq(StoredDispute.ID, dispute.id()), dispute.document(), UPSERT))
                .onErrorMap(MongoFaults::classified)
                .then();
    }

    /** The time of the rail's oldest dispute that it has not decided; empty without one. */
    Mono<Instant> oldestUndecided(String rail) {
        return Flux.concat(
                        first(and(eq(StoredDispute.RAIL, rail), in(StoredDispute.STATUS, UNDER_WAY))),
                        first(and(eq(StoredDispute.RAIL, rail), exists(StoredDispute.UNMATCHED_SINCE))))
                .map(found -> found.getDate(StoredDispute.OPENED_AT).toInstant())
                .reduce((one, other) -> one.isBefore(other) ? one : other)
                .onErrorMap(MongoFaults::classified);
    }

    /** The next deadline of an open dispute of the rail; empty without one. */
    Mono<Instant> nextDeadline(String rail, Instant now) {
        return Mono.from(disputes.find(and(
                                eq(StoredDispute.STATUS, Dispute.Status.OPEN.code()),
                                gte(StoredDispute.DEADLINE, Date.from(now)),
                                eq(StoredDispute.RAIL, rail)))
                        .sort(Sorts.ascending(StoredDispute.DEADLINE))
                        .limit(1))
                .map(found -> found.getDate(StoredDispute.DEADLINE).toInstant())
                .onErrorMap(MongoFaults::classified);
    }

    private Mono<Document> first(Bson which) {
        return Mono.from(disputes.find(which)
                .sort(Sorts.ascending(StoredDispute.OPENED_AT))
                .limit(1));
    }

    /** Up to {@code max} disputes about which something is to be told by {@code now}. */
    Flux<StoredDispute> toReport(String rail, Instant now, int max) {
        return Flux.from(disputes.find(and(eq(StoredDispute.RAIL, rail), lte(StoredDispute.REPORT_AT, Date.from(now))))
                        .limit(max))
                .concatMap(DisputeStore::undamaged)
                .onErrorMap(MongoFaults::classified);
    }

    /** The transaction knows all of it. Changes nothing if there is something new since {@code dispute} was read. */
    Mono<Void> known(StoredDispute dispute) {
        return Mono.from(disputes.updateOne(unchanged(dispute), Updates.unset(StoredDispute.REPORT_AT)))
                .onErrorMap(MongoFaults::classified)
                .then();
    }

    /** The transaction is told of it again at {@code at}. Changes nothing if there is something new since {@code dispute} was read. */
    Mono<Void> reportAgain(StoredDispute dispute, Instant at) {
        return Mono.from(disputes.updateOne(unchanged(dispute), Updates.set(StoredDispute.REPORT_AT, Date.from(at))))
                .onErrorMap(MongoFaults::classified)
                .then();
    }

    private static Bson unchanged(StoredDispute dispute) {
        return and(
                eq(StoredDispute.ID, dispute.id()),
                eq(StoredDispute.REPORT_AT, dispute.document().getDate(StoredDispute.REPORT_AT)));
    }

    /** By states: {@code open}, {@code defended}, and {@code unmatched}, which no transaction can take. */
    Mono<Map<String, Long>> counts(String rail) {
        Mono<Map<String, Long>> byStatus = Flux.from(disputes.aggregate(List.of(
                        Aggregates.match(and(eq(StoredDispute.RAIL, rail), in(StoredDispute.STATUS, UNDER_WAY))),
                        Aggregates.group("$" + StoredDispute.STATUS, Accumulators.sum("count", 1L)))))
                .collectMap(found -> found.getString("_id"), found -> found.getLong("count"));
        Mono<Long> unmatched = Mono.from(
                disputes.countDocuments(and(eq(StoredDispute.RAIL, rail), exists(StoredDispute.UNMATCHED_SINCE))));
        return byStatus.zipWith(unmatched, (counts, count) -> {
                    counts.put("unmatched", count);
                    return counts;
                })
                .onErrorMap(MongoFaults::classified);
    }

    /** Up to {@code max} transactions of the rail that have a defence for it, those that wait longest first. */
    Flux<Transaction> withDefenses(String rail, int max) {
        return Flux.from(transactions
                        .find(and(exists(TransactionFields.DEFENSE_SINCE), eq(TransactionFields.RAIL, rail)))
                        .sort(Sorts.ascending(TransactionFields.DEFENSE_SINCE))
                        .comment(AllShards.SWEEP)
                        .limit(max))
                .concatMap(found -> Mono.fromCallable(() -> found.decode(CODEC)).onErrorComplete())
                .onErrorMap(MongoFaults::classified);
    }
}
