package dev.ligeiro.processor.apply;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.mongo.MongoFaults;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
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

    /** Those of the reported payments that are recorded, for the same transaction and with the same amount. */
    public Mono<Set<RailNotice>> recorded(List<RailNotice> reports) {
        if (reports.isEmpty()) {
            return Mono.just(Set.of());
        }
        List<String> ids = reports.stream()
                .map(report -> id(report.rail(), report.endToEndId()))
                .toList();
        return Flux.from(unmatched
                        .withReadConcern(ReadConcern.MAJORITY)
                        .find(Filters.in(UnmatchedPaymentFields.ID, ids)))
                .collectMap(
                        stored -> stored.getString(UnmatchedPaymentFields.ID).getValue())
                .map(stored -> reports.stream()
                        .filter(report -> isRecord(stored.get(id(report.rail(), report.endToEndId())), report))
                        .collect(Collectors.toSet()))
                .onErrorMap(MongoFaults::classified);
    }

    private static boolean isRecord(@Nullable BsonDocument stored, RailNotice report) {
        return stored != null
                && report.amount() != null
                && new BsonInt64(report.amount().cents()).equals(stored.get(UnmatchedPaymentFields.AMOUNT))
                && TransactionCodec.binary(report.transactionId().value())
                        .equals(stored.get(UnmatchedPaymentFields.TRANSACTION_ID));
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
                Filters.eq(UnmatchedPaymentFields.ID, id(payment.rail(), payment.endToEndId())),
                new BsonDocument("$setOnInsert", fields),
                UPSERT);
    }

    private static String id(String rail, String endToEndId) {
        return rail + "/" + endToEndId;
    }
}
