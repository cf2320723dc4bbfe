package dev.ligeiro.processor.reconcile;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.elemMatch;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.ne;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Projections.include;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SimulatorLedgerFields;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The list of the simulated rail: its ledger of cashouts and refunds, and the cashouts that the sandbox has paid in its place. */
@Component
class SimulatorListStore implements RailList {

    private static final int PAGE = ProcessorMemoryBudget.COMPARED;
    private static final String SENT_BACK = "sent_back";
    private static final String REJECTED = "rejected";

    private final MongoCollection<BsonDocument> ledger;
    private final MongoCollection<BsonDocument> transactions;

    SimulatorListStore(MongoDatabase database) {
        this.ledger = database.getCollection(CollectionNames.SIMULATOR_LEDGER, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
    }

    @Override
    public String rail() {
        return RailProperties.SIMULATOR;
    }

    @Override
    public Flux<List<Movement>> hour(Instant from) {
        return page(from, null)
                .expand(page -> page.size() < PAGE ? Mono.empty() : page(from, page.get(page.size() - 1)), 1)
                .map(page -> page.stream()
                        .flatMap(entry -> movements(entry).stream())
                        .toList());
    }

    /** @param after the last entry of the page before */
    private Mono<List<BsonDocument>> page(Instant from, @Nullable BsonDocument after) {
        String time = SimulatorLedgerFields.FIRST_AT;
        Bson rest = after == null
                ? gte(time, Date.from(from))
                : or(
                        gt(time, after.get(time)),
                        and(gte(time, after.get(time)), gt(SimulatorLedgerFields.ID, after.get("_id"))));
        return Flux.from(ledger.find(and(
                                gte(time, after == null ? Date.from(from) : after.get(time)),
                                rest,
                                lt(time, Date.from(from.plus(1, ChronoUnit.HOURS))),
                                ne(SimulatorLedgerFields.STATE, REJECTED)))
                        .hint(Indexes.ascending(time, SimulatorLedgerFields.ID))
                        .sort(Sorts.ascending(time, SimulatorLedgerFields.ID))
                        .limit(PAGE)
                        .batchSize(PAGE + 1))
                .collectList();
    }

    /** What the ledger has under their ids and those of their transactions, and what the sandbox has paid. */
    @Override
    public Flux<Movement> find(List<Booked> postings) {
        Set<BsonBinary> ids = postings.stream()
                .flatMap(SimulatorListStore::ids)
                .map(TransactionCodec::binary)
                .collect(Collectors.toCollection(HashSet::new));
        return Flux.from(ledger.find(and(in(SimulatorLedgerFields.ID, ids), ne(SimulatorLedgerFields.STATE, REJECTED))))
                .collectList()
                .flatMapMany(entries -> {
                    entries.forEach(entry -> ids.remove(entry.getBinary(SimulatorLedgerFields.ID)));
                    return Flux.fromIterable(entries)
                            .flatMapIterable(SimulatorListStore::movements)
                            .concatWith(paidBySandbox(postings, ids));
                });
    }

    /** Its own, unless it is of an unmatched payment without one, and that of its transaction. */
    private static Stream<UUID> ids(Booked posting) {
        UUID transaction = posting.transactionId().value();
        return posting.railId().length() == transaction.toString().length()
                ? Stream.of(UUID.fromString(posting.railId()), transaction)
                : Stream.of(transaction);
    }

    private Flux<Movement> paidBySandbox(List<Booked> postings, Set<BsonBinary> ids) {
        Set<Long> tenants = postings.stream().map(one -> one.tenant().key()).collect(Collectors.toSet());
        Bson paid = and(
                eq(TransactionFields.STATUS, Status.PAID.code()), eq(TransactionFields.SOURCE, Source.SANDBOX.code()));
        return Flux.from(transactions
                        .find(and(
                                in(TransactionFields.TENANT, tenants),
                                in(TransactionFields.ID, ids),
                                eq(TransactionFields.OPERATION, Operation.CASHOUT.code()),
                                elemMatch(TransactionFields.HISTORY, paid)))
                        .projection(include(TransactionFields.AMOUNT, TransactionFields.HISTORY)))
                .map(SimulatorListStore::paidBySandbox);
    }

    private static Movement paidBySandbox(BsonDocument cashout) {
        Instant at = cashout.getArray(TransactionFields.HISTORY).stream()
                .map(BsonValue::asDocument)
                .map(entry -> StoredValues.instant(entry, TransactionFields.AT))
                .max(Comparator.naturalOrder())
                .orElseThrow();
        return movement(
                StoredValues.uuid(cashout, TransactionFields.ID),
                -cashout.getInt64(TransactionFields.AMOUNT).getValue(),
                at,
                StoredValues.uuid(cashout, TransactionFields.ID));
    }

    /** Money that was sent back has moved twice. */
    private static List<Movement> movements(BsonDocument entry) {
        UUID id = StoredValues.uuid(entry, SimulatorLedgerFields.ID);
        UUID transaction = StoredValues.uuid(entry, SimulatorLedgerFields.TRANSACTION_ID);
        long cents = entry.getInt64(SimulatorLedgerFields.AMOUNT).getValue();
        Instant at = StoredValues.instant(entry, SimulatorLedgerFields.FIRST_AT);
        Movement out = movement(id, -cents, at, transaction);
        if (!StoredValues.text(entry, SimulatorLedgerFields.STATE).equals(SENT_BACK)) {
            return List.of(out);
        }
        UUID back = RefundId.ofRail("return-" + id).value();
        return List.of(out, movement(back, cents, at, transaction));
    }

    private static Movement movement(UUID id, long cents, Instant at, UUID transaction) {
        return new Movement(List.of(id.toString()), cents, at, new TransactionId(transaction));
    }
}
