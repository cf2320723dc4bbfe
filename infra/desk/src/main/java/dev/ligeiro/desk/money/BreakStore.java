package dev.ligeiro.desk.money;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.BreakKind;
import dev.ligeiro.store.CollectionNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.FindAndModifyOptions;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;

/** The breaks that the processors have found, the oldest first, by an index over their time. */
@Component
class BreakStore {

    private static final Duration READ_MAX = Duration.ofSeconds(5);

    private final MongoTemplate mongo;

    BreakStore(MongoTemplate mongo) {
        this.mongo = mongo;
    }

    /** As {@link BreakFields} says. */
    record Break(
            @Id UUID id,
            String rail,
            String day,
            String kind,
            String railId,
            @Nullable Long ours,
            @Nullable Long theirs,
            @Nullable UUID transactionId,
            @Nullable Long tenant,
            Instant since,
            @Nullable Instant closedAt,
            @Nullable String closedBy,
            @Nullable String reason) {}

    /** @param rail null for all; so is {@code kind} */
    Slice<Break> page(boolean isClosed, @Nullable String rail, @Nullable BreakKind kind, @Nullable PageCursor after) {
        Criteria which =
                where(isClosed ? BreakFields.CLOSED_AT : BreakFields.OPEN).exists(true);
        if (rail != null) {
            which.and(BreakFields.RAIL).is(rail);
        }
        if (kind != null) {
            which.and(BreakFields.KIND).is(kind.code());
        }
        if (after != null) {
            which.and(BreakFields.SINCE)
                    .gte(after.at())
                    .orOperator(
                            where(BreakFields.SINCE).gt(after.at()),
                            where(BreakFields.ID).gt(after.uuid()));
        }
        return Slice.of(
                mongo.find(
                        query(which)
                                .with(Sort.by(BreakFields.SINCE, BreakFields.ID))
                                .limit(Slice.ITEMS_MAX + 1)
                                .maxTime(READ_MAX),
                        Break.class,
                        CollectionNames.BREAKS),
                last -> new PageCursor(last.since(), last.id().toString()));
    }

    /** Empty if there is no such open break. */
    Optional<Break> close(UUID id, String reason, String operator, Instant at) {
        return Optional.ofNullable(mongo.findAndModify(
                query(where(BreakFields.ID).is(id).and(BreakFields.OPEN).exists(true)),
                new Update()
                        .set(BreakFields.CLOSED_AT, at)
                        .set(BreakFields.CLOSED_BY, operator)
                        .set(BreakFields.REASON, reason)
                        .unset(BreakFields.OPEN),
                FindAndModifyOptions.options().returnNew(true),
                Break.class,
                CollectionNames.BREAKS));
    }
}
