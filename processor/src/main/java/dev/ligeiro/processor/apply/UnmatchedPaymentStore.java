package dev.ligeiro.processor.apply;

import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.UnmatchedPaymentFields;
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

/** Records and counts unmatched payments for the operator. An unmatched payment that is reported again stays one record with its first time. */
@Component
public class UnmatchedPaymentStore {

    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    private final MongoCollection<BsonDocument> unmatched;
    private final MeterRegistry meters;

    UnmatchedPaymentStore(MongoDatabase database, MeterRegistry meters) {
        this.unmatched = database.getCollection(CollectionNames.UNMATCHED_PAYMENTS, BsonDocument.class);
        this.meters = meters;
        // so that all series exist, with 0, before the first unmatched payment
        List.of(UnmatchedPayment.Reason.values()).forEach(this::counter);
    }

    /** Completes when all of them are stored; fails with a {@link TransientFault}, or because one of them cannot be stored. */
    public Mono<Void> record(List<UnmatchedPayment> found) {
        if (found.isEmpty()) {
            return Mono.empty();
        }
        return Mono.defer(() -> Mono.from(unmatched.bulkWrite(
                        found.stream().map(UnmatchedPaymentStore::upsert).toList(), UNORDERED)))
                .doOnNext(written -> written.getUpserts()
                        .forEach(added ->
                                counter(found.get(added.getIndex()).reason()).increment()))
                .onErrorMap(MongoFaults::classified)
                .then();
    }

    private Counter counter(UnmatchedPayment.Reason reason) {
        return Counter.builder("ligeiro.unmatched.payments")
                .description(
                        "Money that a rail reported and no transaction can take, by reason; GET /admin/unmatched-payments lists it")
                .tag("reason", reason.code())
                .register(meters);
    }

    private static UpdateOneModel<BsonDocument> upsert(UnmatchedPayment payment) {
        BsonDocument fields = new BsonDocument(UnmatchedPaymentFields.RAIL, new BsonString(payment.rail()))
                .append(UnmatchedPaymentFields.END_TO_END_ID, new BsonString(payment.endToEndId()))
                .append(
                        UnmatchedPaymentFields.TRANSACTION_ID,
                        TransactionCodec.binary(payment.transactionId().value()))
                .append(
                        UnmatchedPaymentFields.REASON,
                        new BsonString(payment.reason().code()))
                .append(UnmatchedPaymentFields.AT, new BsonDateTime(payment.at().toEpochMilli()));
        if (payment.amount() != null) {
            fields.append(
                    UnmatchedPaymentFields.AMOUNT,
                    new BsonInt64(payment.amount().cents()));
        }
        return new UpdateOneModel<>(
                Filters.eq(UnmatchedPaymentFields.ID, payment.rail() + "/" + payment.endToEndId()),
                new BsonDocument("$setOnInsert", fields),
                UPSERT);
    }
}
