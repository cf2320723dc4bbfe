package dev.ligeiro.gateway.operator.resolve;

import static org.springframework.data.mongodb.core.query.Criteria.where;

import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.ResolutionFields;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.FindAndModifyOptions;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Operators' decisions in MongoDB, where a unique index permits one open decision about the same thing; and unmatched payments. */
@Component
class ResolutionStore {

    /** Reasons of money that has moved back to the payer of a cashin. */
    private static final Set<String> BACK = Set.of("returned_too_much", "refunded_after_failure");

    private final ReactiveMongoTemplate mongo;
    private final MongoDatabase database;

    ResolutionStore(ReactiveMongoTemplate mongo, MongoDatabase database) {
        this.mongo = mongo;
        this.database = database;
    }

    /**
     * A recorded payment.
     *
     * @param amount null if the rail has reported none
     */
    record Unmatched(
            String rail, TransactionId transactionId, @Nullable Amount amount, boolean isBack, boolean isResolved) {}

    Mono<ProposedResolution> insert(ProposedResolution proposed) {
        return mongo.insert(proposed);
    }

    Mono<ProposedResolution> find(UUID id) {
        return mongo.findById(id, ProposedResolution.class);
    }

    /** @param by who decides; null if the proposal is outdated */
    Mono<ProposedResolution> move(
            UUID id, ResolutionState to, @Nullable String by, @Nullable String reason, Instant at) {
        Update update = new Update().set(ResolutionFields.STATE, to.code());
        if (by != null) {
            update.set(ResolutionFields.DECIDED_BY, by).set("decidedAt", at);
        }
        if (reason != null) {
            update.set("decidedReason", reason);
        }
        if (to != ResolutionState.CONFIRMED) {
            update.unset(ResolutionFields.OPEN).set(ResolutionFields.ENDED_AT, at);
        }
        return mongo.findAndModify(
                Query.query(where(ResolutionFields.ID)
                        .is(id)
                        .and(ResolutionFields.STATE)
                        .is(ResolutionState.PROPOSED.code())),
                update,
                FindAndModifyOptions.options().returnNew(true),
                ProposedResolution.class);
    }

    /** The newest first. */
    Mono<AdminPage<ProposedResolution, UUID>> page(@Nullable ResolutionState state, @Nullable UUID after) {
        Criteria which =
                state == null ? new Criteria() : where(ResolutionFields.STATE).is(state.code());
        return mongo.find(
                        Query.query(
                                        after == null
                                                ? which
                                                : which.and(ResolutionFields.ID).lt(after))
                                .with(Sort.by(Sort.Direction.DESC, ResolutionFields.ID))
                                .limit(AdminPage.ITEMS_MAX + 1),
                        ProposedResolution.class)
                .collectList()
                .map(found -> AdminPage.of(found, ProposedResolution::id));
    }

    Mono<Unmatched> unmatched(String id) {
        return Mono.from(database.getCollection(CollectionNames.UNMATCHED_PAYMENTS, BsonDocument.class)
                        .find(Filters.eq(UnmatchedPaymentFields.ID, id)))
                .map(ResolutionStore::read);
    }

    private static Unmatched read(BsonDocument found) {
        return new Unmatched(
                found.getString(UnmatchedPaymentFields.RAIL).getValue(),
                new TransactionId(StoredValues.uuid(found, UnmatchedPaymentFields.TRANSACTION_ID)),
                found.containsKey(UnmatchedPaymentFields.AMOUNT)
                        ? new Amount(
                                found.getInt64(UnmatchedPaymentFields.AMOUNT).getValue())
                        : null,
                BACK.contains(found.getString(UnmatchedPaymentFields.REASON).getValue()),
                found.containsKey(UnmatchedPaymentFields.RESOLVED));
    }
}
