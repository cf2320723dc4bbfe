package dev.ligeiro.desk.money;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.ResolutionFields;
import dev.ligeiro.transaction.ResolutionState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.FindAndModifyOptions;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;

/** Operators' decisions in MongoDB, where a unique index permits one open decision about the same thing. */
@Component
class ResolutionStore {

    private final MongoTemplate mongo;

    ResolutionStore(MongoTemplate mongo) {
        this.mongo = mongo;
    }

    /** @throws org.springframework.dao.DuplicateKeyException if another decision about the same is open */
    Resolution insert(Resolution proposed) {
        return mongo.insert(proposed, CollectionNames.RESOLUTIONS);
    }

    Optional<Resolution> find(UUID id) {
        return Optional.ofNullable(mongo.findById(id, Resolution.class, CollectionNames.RESOLUTIONS));
    }

    /** The open decisions about these subjects. */
    List<Resolution> open(List<String> subjects) {
        return mongo.find(
                query(where(ResolutionFields.OPEN).in(subjects)), Resolution.class, CollectionNames.RESOLUTIONS);
    }

    /**
     * Empty if it is not proposed any more.
     *
     * @param by who decides; null if the proposal is outdated
     */
    Optional<Resolution> move(UUID id, ResolutionState to, @Nullable String by, @Nullable String reason, Instant at) {
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
        return Optional.ofNullable(mongo.findAndModify(
                query(where(ResolutionFields.ID)
                        .is(id)
                        .and(ResolutionFields.STATE)
                        .is(ResolutionState.PROPOSED.code())),
                update,
                FindAndModifyOptions.options().returnNew(true),
                Resolution.class,
                CollectionNames.RESOLUTIONS));
    }

    /** The newest first. */
    Slice<Resolution> page(@Nullable ResolutionState state, @Nullable UUID after) {
        Criteria which =
                state == null ? new Criteria() : where(ResolutionFields.STATE).is(state.code());
        return Slice.of(
                mongo.find(
                        query(
                                        after == null
                                                ? which
                                                : which.and(ResolutionFields.ID).lt(after))
                                .with(Sort.by(Sort.Direction.DESC, ResolutionFields.ID))
                                .limit(Slice.ITEMS_MAX + 1),
                        Resolution.class,
                        CollectionNames.RESOLUTIONS),
                Resolution::id);
    }
}
