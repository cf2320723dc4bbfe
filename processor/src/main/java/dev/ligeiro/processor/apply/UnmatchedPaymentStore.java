package dev.ligeiro.processor.apply;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.decide.RecordedPayment;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Records and counts unmatched payments for the operator. An unmatched payment that is reported again stays one record with its first time. */
@Component
public class UnmatchedPaymentStore {

    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    /** How much of a payment was moved back: by the rail itself, and by the decision of operators. */
    private static final Document KNOWN_RETURNED = Document.parse(
            """
            {$add: [{$sum: '$returned.amount'},
                    {$cond: [{$eq: ['$resolved.decision', 'return']}, {$ifNull: ['$resolved.amount', '$amount']}, 0]}]}
            """);

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

    /** A recorded payment by its id. */
    public Mono<RecordedPayment> find(String id) {
        return Mono.from(
                        unmatched.withReadConcern(ReadConcern.MAJORITY).find(Filters.eq(UnmatchedPaymentFields.ID, id)))
                .map(UnmatchedPaymentStore::read)
                .onErrorMap(MongoFaults::classified);
    }

    /** Recorded payments in the order of their ids, after {@code after}; null for the first ones. */
    public Flux<RecordedPayment> page(@Nullable String after, int max) {
        return Flux.from(unmatched
                        .withReadConcern(ReadConcern.MAJORITY)
                        .find(after == null ? Filters.empty() : Filters.gt(UnmatchedPaymentFields.ID, after))
                        .sort(Indexes.ascending(UnmatchedPaymentFields.ID))
                        .limit(max))
                .map(UnmatchedPaymentStore::read)
                .onErrorMap(MongoFaults::classified);
    }

    /**
     * Notes that more was moved back of recorded payments than is known, so that their rail is asked. Reports of other payments change
     * nothing.
     */
    public Mono<Void> returnReported(List<RailNotice> reports) {
        List<UpdateOneModel<BsonDocument>> marks = new ArrayList<>();
        for (RailNotice report : reports) {
            if (report.returned() != null && !report.returned().equals(Amount.ZERO)) {
                Bson isMore = Filters.expr(new Document(
                        "$lt", List.of(KNOWN_RETURNED, report.returned().cents())));
                marks.add(new UpdateOneModel<>(
                        Filters.and(
                                Filters.eq(UnmatchedPaymentFields.ID, id(report.rail(), report.endToEndId())), isMore),
                        Updates.currentDate(UnmatchedPaymentFields.RETURN_REPORTED_AT)));
            }
        }
        return marks.isEmpty()
                ? Mono.empty()
                : Mono.from(unmatched.bulkWrite(marks, UNORDERED))
                        .onErrorMap(MongoFaults::classified)
                        .then();
    }

    /** The payments of which a rail has reported that more was moved back. */
    public Flux<RecordedPayment> withReportedReturns(int max) {
        return Flux.from(unmatched
                        .withReadConcern(ReadConcern.MAJORITY)
                        .find(Filters.exists(UnmatchedPaymentFields.RETURN_REPORTED_AT))
                        .limit(max))
                .map(UnmatchedPaymentStore::read)
                .onErrorMap(MongoFaults::classified);
    }

    /** The rail has been asked about the payment; changes nothing if it has reported again since {@code asked} was read. */
    public Mono<Void> returnsRead(RecordedPayment asked) {
        return Mono.from(unmatched.updateOne(
                        Filters.and(
                                Filters.eq(UnmatchedPaymentFields.ID, asked.id()),
                                Filters.eq(UnmatchedPaymentFields.RETURN_REPORTED_AT, asked.returnReportedAt())),
                        Updates.unset(UnmatchedPaymentFields.RETURN_REPORTED_AT)))
                .onErrorMap(MongoFaults::classified)
                .then();
    }

    /**
     * Adds what the rail has moved back, if {@code before} is what is stored. It counts as reported, so the books are told later.
     *
     * @return what is stored then
     */
    public Mono<RecordedPayment> addReturned(RecordedPayment before, List<RailOutcome.Returned> found, Instant at) {
        List<BsonDocument> added = found.stream()
                .map(one -> new BsonDocument(UnmatchedPaymentFields.RETURNED_ID, new BsonString(one.id()))
                        .append(
                                UnmatchedPaymentFields.AMOUNT,
                                new BsonInt64(one.amount().cents()))
                        .append(UnmatchedPaymentFields.AFTER_DECISION, BsonBoolean.valueOf(before.resolved() != null))
                        .append(UnmatchedPaymentFields.AT, new BsonDateTime(at.toEpochMilli())))
                .toList();
        return Mono.from(unmatched.updateOne(
                        unchanged(before),
                        Updates.combine(
                                Updates.pushEach(UnmatchedPaymentFields.RETURNED, added),
                                Updates.currentDate(UnmatchedPaymentFields.RETURN_REPORTED_AT))))
                .onErrorMap(MongoFaults::classified)
                .then(find(before.id()));
    }

    /** Whether nothing was added and nothing decided since {@code before} was read. */
    private static Bson unchanged(RecordedPayment before) {
        return Filters.and(
                Filters.eq(UnmatchedPaymentFields.ID, before.id()),
                Filters.exists(UnmatchedPaymentFields.RESOLVED, before.resolved() != null),
                before.returned().isEmpty()
                        ? Filters.exists(UnmatchedPaymentFields.RETURNED, false)
                        : Filters.size(
                                UnmatchedPaymentFields.RETURNED,
                                before.returned().size()));
    }

    /** Writes what becomes of an open payment, if {@code open} is what is stored. What is stored then. */
    public Mono<RecordedPayment> resolve(RecordedPayment open, RecordedPayment.Resolved resolved) {
        BsonDocument fields = new BsonDocument(
                        UnmatchedPaymentFields.RESOLUTION, TransactionCodec.binary(resolved.resolution()))
                .append(
                        UnmatchedPaymentFields.DECISION,
                        new BsonString(resolved.decision().code()))
                .append(UnmatchedPaymentFields.TENANT, TransactionCodec.tenant(resolved.tenant()))
                .append(
                        UnmatchedPaymentFields.TRANSACTION_ID,
                        TransactionCodec.binary(resolved.transaction().value()))
                .append(
                        UnmatchedPaymentFields.AT,
                        new BsonDateTime(resolved.at().toEpochMilli()));
        if (resolved.amount() != null) {
            fields.append(
                    UnmatchedPaymentFields.AMOUNT,
                    new BsonInt64(resolved.amount().cents()));
        }
        return Mono.from(unmatched.updateOne(unchanged(open), Updates.set(UnmatchedPaymentFields.RESOLVED, fields)))
                .onErrorMap(MongoFaults::classified)
                .then(find(open.id()));
    }

    private static RecordedPayment read(BsonDocument stored) {
        UnmatchedPayment payment = new UnmatchedPayment(
                stored.getString(UnmatchedPaymentFields.RAIL).getValue(),
                stored.getString(UnmatchedPaymentFields.END_TO_END_ID).getValue(),
                new TransactionId(StoredValues.uuid(stored, UnmatchedPaymentFields.TRANSACTION_ID)),
                stored.containsKey(UnmatchedPaymentFields.AMOUNT)
                        ? new Amount(
                                stored.getInt64(UnmatchedPaymentFields.AMOUNT).getValue())
                        : null,
                Codes.get(
                        UnmatchedPayment.Reason.class,
                        stored.getString(UnmatchedPaymentFields.REASON).getValue()),
                at(stored));
        return new RecordedPayment(
                stored.getString(UnmatchedPaymentFields.ID).getValue(),
                payment,
                stored.getArray(UnmatchedPaymentFields.RETURNED, new BsonArray()).stream()
                        .map(one -> readReturned(one.asDocument()))
                        .toList(),
                stored.containsKey(UnmatchedPaymentFields.RESOLVED)
                        ? readResolved(stored.getDocument(UnmatchedPaymentFields.RESOLVED))
                        : null,
                stored.containsKey(UnmatchedPaymentFields.RETURN_REPORTED_AT)
                        ? Instant.ofEpochMilli(stored.getDateTime(UnmatchedPaymentFields.RETURN_REPORTED_AT)
                                .getValue())
                        : null);
    }

    private static RecordedPayment.Returned readReturned(BsonDocument returned) {
        return new RecordedPayment.Returned(
                returned.getString(UnmatchedPaymentFields.RETURNED_ID).getValue(),
                new Amount(returned.getInt64(UnmatchedPaymentFields.AMOUNT).getValue()),
                returned.getBoolean(UnmatchedPaymentFields.AFTER_DECISION).getValue(),
                at(returned));
    }

    private static RecordedPayment.Resolved readResolved(BsonDocument resolved) {
        return new RecordedPayment.Resolved(
                StoredValues.uuid(resolved, UnmatchedPaymentFields.RESOLUTION),
                Codes.get(
                        ResolutionDecision.class,
                        resolved.getString(UnmatchedPaymentFields.DECISION).getValue()),
                new Tenant(resolved.getInt64(UnmatchedPaymentFields.TENANT).getValue()),
                new TransactionId(StoredValues.uuid(resolved, UnmatchedPaymentFields.TRANSACTION_ID)),
                // absent in decisions from before 2026-11-29, and without an amount of the payment
                resolved.containsKey(UnmatchedPaymentFields.AMOUNT)
                        ? new Amount(
                                resolved.getInt64(UnmatchedPaymentFields.AMOUNT).getValue())
                        : null,
                at(resolved));
    }

    private static Instant at(BsonDocument document) {
        return Instant.ofEpochMilli(
                document.getDateTime(UnmatchedPaymentFields.AT).getValue());
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
