package dev.ligeiro.processor.apply;

import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.processor.decide.Stray;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StrayFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.mongo.MongoFaults;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Records and counts strays for the operator. A stray that is reported again stays one record with its first time. */
@Component
public class StrayStore {

    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    private final MongoCollection<BsonDocument> strays;
    private final MeterRegistry meters;

    StrayStore(MongoDatabase database, MeterRegistry meters) {
        this.strays = database.getCollection(CollectionNames.STRAYS, BsonDocument.class);
        this.meters = meters;
        // so that all series exist, with 0, before the first stray
        List.of(Stray.Reason.values()).forEach(this::counter);
    }

    /** Completes when all of them are stored; fails with a {@link TransientFault}, or because one of them cannot be stored. */
    public Mono<Void> record(List<Stray> found) {
        if (found.isEmpty()) {
            return Mono.empty();
        }
        return Mono.defer(() -> Mono.from(
                        strays.bulkWrite(found.stream().map(StrayStore::upsert).toList(), UNORDERED)))
                .doOnNext(written -> written.getUpserts()
                        .forEach(added ->
                                counter(found.get(added.getIndex()).reason()).increment()))
                .onErrorMap(MongoFaults::classified)
                .then();
    }

    private Counter counter(Stray.Reason reason) {
        return Counter.builder("ligeiro.strays")
                .description(
                        "Money that a rail reported and no transaction can take, by reason; GET /admin/strays lists it")
                .tag("reason", reason.code())
                .register(meters);
    }

    private static UpdateOneModel<BsonDocument> upsert(Stray stray) {
        BsonDocument fields = new BsonDocument(StrayFields.RAIL, new BsonString(stray.rail()))
                .append(StrayFields.END_TO_END_ID, new BsonString(stray.endToEndId()))
                .append(
                        StrayFields.TRANSACTION_ID,
                        TransactionCodec.binary(stray.transactionId().value()))
                .append(StrayFields.REASON, new BsonString(stray.reason().code()))
                .append(StrayFields.AT, new BsonDateTime(stray.at().toEpochMilli()));
        if (stray.amount() != null) {
            fields.append(StrayFields.AMOUNT, new BsonInt64(stray.amount().cents()));
        }
        return new UpdateOneModel<>(
                Filters.eq(StrayFields.ID, stray.rail() + "/" + stray.endToEndId()),
                new BsonDocument("$setOnInsert", fields),
                UPSERT);
    }
}
