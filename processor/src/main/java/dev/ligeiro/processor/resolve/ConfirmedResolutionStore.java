package dev.ligeiro.processor.resolve;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.ne;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Indexes;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.ResolutionFields;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bson.Document;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The confirmed decisions of operators in MongoDB, and what has become of them. */
@Component
public class ConfirmedResolutionStore {

    private final MongoCollection<Document> resolutions;

    ConfirmedResolutionStore(MongoDatabase database) {
        this.resolutions = database.getCollection(CollectionNames.RESOLUTIONS).withReadConcern(ReadConcern.MAJORITY);
    }

    /** Up to {@code max}, the oldest first. */
    Mono<List<ConfirmedResolution>> confirmed(int max) {
        return Flux.from(resolutions
                        .find(eq(ResolutionFields.STATE, ResolutionState.CONFIRMED.code()))
                        .sort(Indexes.ascending(ResolutionFields.ID))
                        .limit(max))
                .map(ConfirmedResolutionStore::read)
                .collectList()
                .onErrorMap(MongoFaults::classified);
    }

    /** Whether a confirmed decision about the unmatched payment is under way. */
    Mono<Boolean> isConfirmed(String unmatchedPayment) {
        return Mono.from(resolutions.find(and(
                        eq(ResolutionFields.STATE, ResolutionState.CONFIRMED.code()),
                        eq(ResolutionFields.UNMATCHED_PAYMENT, unmatchedPayment))))
                .onErrorMap(MongoFaults::classified)
                .hasElement();
    }

    /**
     * The commands among {@code commands} that carry out a decision as MongoDB has it, which was confirmed, also if it has ended since. Without
     * such a command nothing is read.
     */
    public Mono<Set<TransactionCommand>> confirmed(List<TransactionCommand> commands) {
        Map<UUID, TransactionCommand.Change> byId = new HashMap<>();
        for (TransactionCommand command : commands) {
            if (command instanceof TransactionCommand.Change change
                    && change.action() instanceof ChangeAction.Resolve) {
                byId.put(change.change().id(), change);
            }
        }
        if (byId.isEmpty()) {
            return Mono.just(Set.of());
        }
        return Flux.from(resolutions.find(and(
                        in(ResolutionFields.ID, byId.keySet()),
                        // a proposal that was outdated has nobody who confirmed it
                        exists(ResolutionFields.DECIDED_BY),
                        ne(ResolutionFields.STATE, ResolutionState.WITHDRAWN.code()))))
                .map(ConfirmedResolutionStore::read)
                .mapNotNull(found -> {
                    TransactionCommand.Change command = byId.get(found.id());
                    return command != null && found.isCarriedOutBy(command) ? command : null;
                })
                .collect(Collectors.<TransactionCommand>toSet())
                .onErrorMap(MongoFaults::classified);
    }

    /** Ends a decision that is still confirmed, so that another one about the same can be proposed. */
    Mono<Void> end(ConfirmedResolution resolution, ResolutionState state, Instant at) {
        return Mono.from(resolutions.updateOne(
                        and(
                                eq(ResolutionFields.ID, resolution.id()),
                                eq(ResolutionFields.STATE, ResolutionState.CONFIRMED.code())),
                        combine(
                                set(ResolutionFields.STATE, state.code()),
                                set(ResolutionFields.ENDED_AT, Date.from(at)),
                                unset(ResolutionFields.OPEN))))
                .onErrorMap(MongoFaults::classified)
                .then();
    }

    private static ConfirmedResolution read(Document found) {
        String endToEndId = found.getString(ResolutionFields.END_TO_END_ID);
        return new ConfirmedResolution(
                found.get(ResolutionFields.ID, UUID.class),
                Codes.get(ResolutionDecision.class, found.getString(ResolutionFields.DECISION)),
                new Tenant(found.getLong(ResolutionFields.TENANT)),
                optional(found, ResolutionFields.TRANSACTION_ID)
                        .map(TransactionId::new)
                        .orElse(null),
                optional(found, ResolutionFields.REFUND).map(RefundId::new).orElse(null),
                found.getString(ResolutionFields.UNMATCHED_PAYMENT),
                endToEndId == null
                        ? null
                        : new Settlement(
                                endToEndId,
                                found.getDate(ResolutionFields.PAID_AT).toInstant()));
    }

    private static Optional<UUID> optional(Document found, String field) {
        return Optional.ofNullable(found.get(field, UUID.class));
    }
}
