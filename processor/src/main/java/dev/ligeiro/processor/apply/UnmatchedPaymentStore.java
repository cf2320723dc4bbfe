package dev.ligeiro.processor.apply;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.size;
import static dev.ligeiro.store.UnmatchedPaymentFields.AFTER_DECISION;
import static dev.ligeiro.store.UnmatchedPaymentFields.AMOUNT;
import static dev.ligeiro.store.UnmatchedPaymentFields.AT;
import static dev.ligeiro.store.UnmatchedPaymentFields.DECISION;
import static dev.ligeiro.store.UnmatchedPaymentFields.END_TO_END_ID;
import static dev.ligeiro.store.UnmatchedPaymentFields.ID;
import static dev.ligeiro.store.UnmatchedPaymentFields.RAIL;
import static dev.ligeiro.store.UnmatchedPaymentFields.REASON;
import static dev.ligeiro.store.UnmatchedPaymentFields.RESOLUTION;
import static dev.ligeiro.store.UnmatchedPaymentFields.RESOLVED;
import static dev.ligeiro.store.UnmatchedPaymentFields.RETURNED;
import static dev.ligeiro.store.UnmatchedPaymentFields.RETURNED_ID;
import static dev.ligeiro.store.UnmatchedPaymentFields.RETURN_REPORTED_AT;
import static dev.ligeiro.store.UnmatchedPaymentFields.TENANT;
import static dev.ligeiro.store.UnmatchedPaymentFields.TRANSACTION_ID;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.decide.RecordedPayment;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.store.CollectionNames;
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
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
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

    private final MongoCollection<Document> unmatched;
    private final MeterRegistry meters;

    UnmatchedPaymentStore(MongoDatabase database, MeterRegistry meters) {
        this.unmatched =
                database.getCollection(CollectionNames.UNMATCHED_PAYMENTS).withReadConcern(ReadConcern.MAJORITY);
        this.meters = meters;
        // so that all series exist, with 0, before the first unmatched payment
        List.of(UnmatchedPayment.Reason.values()).forEach(this::counter);
    }

    private Counter counter(UnmatchedPayment.Reason reason) {
        return Counter.builder("ligeiro.unmatched.payments")
                .description(
                        "Money that a rail reported and no transaction can take, by reason; GET /admin/unmatched-payments lists it")
                .tag("reason", reason.code())
                .register(meters);
    }

    /** Completes when all of them are stored; fails with a {@link TransientFault}, or because one of them cannot be stored. */
    public Mono<Void> record(List<UnmatchedPayment> found) {
        return found.isEmpty()
                ? Mono.empty()
                : Mono.defer(() -> Mono.from(unmatched.bulkWrite(
                                found.stream()
                                        .map(UnmatchedPaymentStore::upsert)
                                        .toList(),
                                UNORDERED)))
                        .doOnNext(written -> written.getUpserts().forEach(added -> counter(
                                        found.get(added.getIndex()).reason())
                                .increment()))
                        .onErrorMap(MongoFaults::classified)
                        .then();
    }

    private static UpdateOneModel<Document> upsert(UnmatchedPayment payment) {
        Document fields = new Document(RAIL, payment.rail())
                .append(END_TO_END_ID, payment.endToEndId())
                .append(TRANSACTION_ID, payment.transactionId().value())
                .append(REASON, payment.reason().code())
                .append(AT, Date.from(payment.at()));
        return new UpdateOneModel<>(
                eq(ID, id(payment.rail(), payment.endToEndId())),
                new Document("$setOnInsert", withAmount(fields, payment.amount())),
                UPSERT);
    }

    /** Those of the reported payments that are recorded, for the same transaction and with the same amount. */
    public Mono<Set<RailNotice>> recorded(List<RailNotice> reports) {
        if (reports.isEmpty()) {
            return Mono.just(Set.of());
        }
        List<String> ids = reports.stream()
                .map(report -> id(report.rail(), report.endToEndId()))
                .toList();
        return read(unmatched.find(in(ID, ids)))
                .collectMap(RecordedPayment::id, RecordedPayment::payment)
                .map(stored -> reports.stream()
                        .filter(report -> isRecord(stored.get(id(report.rail(), report.endToEndId())), report))
                        .collect(Collectors.toSet()));
    }

    private static boolean isRecord(@Nullable UnmatchedPayment stored, RailNotice report) {
        return stored != null
                && report.amount() != null
                && report.amount().equals(stored.amount())
                && report.transactionId().equals(stored.transactionId());
    }

    /** A recorded payment by its id. */
    public Mono<RecordedPayment> find(String id) {
        return read(unmatched.find(eq(ID, id))).next();
    }

    /** The cashin to which operators have assigned a recorded payment; empty if they have not. */
    public Mono<TransactionId> assignedTo(String rail, String endToEndId) {
        return find(id(rail, endToEndId))
                .mapNotNull(RecordedPayment::resolved)
                .filter(resolved -> resolved.decision() == ResolutionDecision.ASSIGN)
                .map(RecordedPayment.Resolved::transaction);
    }

    /** Recorded payments in the order of their ids, after {@code after}; null for the first ones. */
    public Flux<RecordedPayment> page(@Nullable String after, int max) {
        return read(unmatched
                .find(after == null ? Filters.empty() : gt(ID, after))
                .sort(Sorts.ascending(ID))
                .limit(max));
    }

    /** The payments of which a rail has reported that more was moved back. */
    public Flux<RecordedPayment> withReportedReturns(int max) {
        return read(unmatched.find(exists(RETURN_REPORTED_AT)).limit(max));
    }

    private static Flux<RecordedPayment> read(FindPublisher<Document> found) {
        return Flux.from(found).map(UnmatchedPaymentStore::read).onErrorMap(MongoFaults::classified);
    }

    /**
     * Notes that more was moved back of recorded payments than is known, so that their rail is asked. Reports of other payments change
     * nothing.
     */
    public Mono<Void> returnReported(List<RailNotice> reports) {
        List<UpdateOneModel<Document>> marks = new ArrayList<>();
        for (RailNotice report : reports) {
            if (report.returned() != null && !report.returned().equals(Amount.ZERO)) {
                Bson isMore = Filters.expr(new Document(
                        "$lt", List.of(KNOWN_RETURNED, report.returned().cents())));
                marks.add(new UpdateOneModel<>(
                        and(eq(ID, id(report.rail(), report.endToEndId())), isMore),
                        Updates.currentDate(RETURN_REPORTED_AT)));
            }
        }
        return marks.isEmpty()
                ? Mono.empty()
                : Mono.from(unmatched.bulkWrite(marks, UNORDERED))
                        .onErrorMap(MongoFaults::classified)
                        .then();
    }

    /** The rail has been asked about the payment; changes nothing if it has reported again since {@code asked} was read. */
    public Mono<Void> returnsRead(RecordedPayment asked) {
        return update(
                and(eq(ID, asked.id()), eq(RETURN_REPORTED_AT, asked.returnReportedAt())),
                Updates.unset(RETURN_REPORTED_AT));
    }

    /**
     * Adds what the rail has moved back, if {@code before} is what is stored. It counts as reported, so the books are told later.
     *
     * @return what is stored then
     */
    public Mono<RecordedPayment> addReturned(RecordedPayment before, List<RailOutcome.Returned> found, Instant at) {
        List<Document> added = found.stream()
                .map(one -> new Document(RETURNED_ID, one.id())
                        .append(AMOUNT, one.amount().cents())
                        .append(AFTER_DECISION, before.resolved() != null)
                        .append(AT, Date.from(at)))
                .toList();
        return update(
                        unchanged(before),
                        Updates.combine(Updates.pushEach(RETURNED, added), Updates.currentDate(RETURN_REPORTED_AT)))
                .then(find(before.id()));
    }

    /** Writes what becomes of an open payment, if {@code open} is what is stored. What is stored then. */
    public Mono<RecordedPayment> resolve(RecordedPayment open, RecordedPayment.Resolved resolved) {
        Document fields = new Document(RESOLUTION, resolved.resolution())
                .append(DECISION, resolved.decision().code())
                .append(TENANT, resolved.tenant().key())
                .append(TRANSACTION_ID, resolved.transaction().value())
                .append(AT, Date.from(resolved.at()));
        return update(unchanged(open), Updates.set(RESOLVED, withAmount(fields, resolved.amount())))
                .then(find(open.id()));
    }

    /** Whether nothing was added and nothing decided since {@code before} was read. */
    private static Bson unchanged(RecordedPayment before) {
        return and(
                eq(ID, before.id()),
                exists(RESOLVED, before.resolved() != null),
                before.returned().isEmpty()
                        ? exists(RETURNED, false)
                        : size(RETURNED, before.returned().size()));
    }

    private Mono<Void> update(Bson which, Bson change) {
        return Mono.from(unmatched.updateOne(which, change))
                .onErrorMap(MongoFaults::classified)
                .then();
    }

    private static RecordedPayment read(Document stored) {
        UnmatchedPayment payment = new UnmatchedPayment(
                stored.getString(RAIL),
                stored.getString(END_TO_END_ID),
                transactionId(stored),
                amount(stored),
                Codes.get(UnmatchedPayment.Reason.class, stored.getString(REASON)),
                stored.getDate(AT).toInstant());
        return new RecordedPayment(
                stored.getString(ID),
                payment,
                stored.getList(RETURNED, Document.class, List.of()).stream()
                        .map(UnmatchedPaymentStore::readReturned)
                        .toList(),
                Optional.ofNullable(stored.get(RESOLVED, Document.class))
                        .map(UnmatchedPaymentStore::readResolved)
                        .orElse(null),
                Optional.ofNullable(stored.getDate(RETURN_REPORTED_AT))
                        .map(Date::toInstant)
                        .orElse(null));
    }

    private static RecordedPayment.Returned readReturned(Document returned) {
        return new RecordedPayment.Returned(
                returned.getString(RETURNED_ID),
                new Amount(returned.getLong(AMOUNT)),
                returned.getBoolean(AFTER_DECISION),
                returned.getDate(AT).toInstant());
    }

    private static RecordedPayment.Resolved readResolved(Document resolved) {
        return new RecordedPayment.Resolved(
                resolved.get(RESOLUTION, UUID.class),
                Codes.get(ResolutionDecision.class, resolved.getString(DECISION)),
                new Tenant(resolved.getLong(TENANT)),
                transactionId(resolved),
                // absent in decisions from before 2026-11-29, and without an amount of the payment
                amount(resolved),
                resolved.getDate(AT).toInstant());
    }

    private static TransactionId transactionId(Document document) {
        return new TransactionId(document.get(TRANSACTION_ID, UUID.class));
    }

    private static @Nullable Amount amount(Document document) {
        Long cents = document.getLong(AMOUNT);
        return cents == null ? null : new Amount(cents);
    }

    private static Document withAmount(Document fields, @Nullable Amount amount) {
        return amount == null ? fields : fields.append(AMOUNT, amount.cents());
    }

    private static String id(String rail, String endToEndId) {
        return rail + "/" + endToEndId;
    }
}
