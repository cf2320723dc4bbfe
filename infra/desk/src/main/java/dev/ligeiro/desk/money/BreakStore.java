package dev.ligeiro.desk.money;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.BreakKind;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Tenant;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Component;

/** The breaks that the processors have found, the oldest first, by an index over their time. */
@Component
public class BreakStore {

    private static final long READ_SECONDS_MAX = 5;

    private final MongoCollection<Document> breaks;
    private final Clock clock;

    BreakStore(MongoTemplate mongo, Clock clock) {
        this.breaks = mongo.getCollection(CollectionNames.BREAKS);
        this.clock = clock;
    }

    /** @param rail null for all; so is {@code kind} */
    Slice<Break> page(boolean isClosed, @Nullable String rail, @Nullable BreakKind kind, @Nullable PageCursor after) {
        List<Bson> filters = new ArrayList<>();
        filters.add(exists(isClosed ? BreakFields.CLOSED_AT : BreakFields.OPEN));
        if (rail != null) {
            filters.add(eq(BreakFields.RAIL, rail));
        }
        if (kind != null) {
            filters.add(eq(BreakFields.KIND, kind.code()));
        }
        if (after != null) {
            filters.add(WaitingStore.behind(after, BreakFields.SINCE, BreakFields.ID, after.uuid()));
        }
        Instant now = clock.instant();
        return Slice.of(
                breaks.find(and(filters))
                        .sort(Sorts.ascending(BreakFields.SINCE, BreakFields.ID))
                        .limit(Slice.ITEMS_MAX + 1)
                        .batchSize(Slice.ITEMS_MAX + 1)
                        .maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS)
                        .map(found -> Break.of(found, now))
                        .into(new ArrayList<>()),
                last -> new PageCursor(last.since(), last.id().toString()));
    }

    /** Empty if there is no such open break. */
    Optional<Break> close(UUID id, String reason, String operator) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        return Optional.ofNullable(breaks.findOneAndUpdate(
                        and(eq(BreakFields.ID, id), exists(BreakFields.OPEN)),
                        combine(
                                set(BreakFields.CLOSED_AT, Date.from(now)),
                                set(BreakFields.CLOSED_BY, operator),
                                set(BreakFields.REASON, reason),
                                unset(BreakFields.OPEN)),
                        new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER)))
                .map(found -> Break.of(found, now));
    }

    /**
     * A break, as operators see it beside its merchant.
     *
     * @param ourAmount what the books have, negative if it leaves the account; null for nothing. The same for {@code theirAmount}
     * @param closedBy null if it is open, or closed because a match was found
     */
    public record Break(
            UUID id,
            String rail,
            String day,
            String kind,
            String railId,
            @Nullable String ourAmount,
            @Nullable String theirAmount,
            @Nullable UUID transactionId,
            @JsonIgnore @Nullable Tenant tenant,
            Instant since,
            long ageSeconds,
            @Nullable Instant closedAt,
            @Nullable String closedBy,
            @Nullable String reason) {

        static Break of(Document found, Instant now) {
            Instant since = found.getDate(BreakFields.SINCE).toInstant();
            Long tenant = found.getLong(BreakFields.TENANT);
            Date closedAt = found.getDate(BreakFields.CLOSED_AT);
            Instant until = closedAt == null ? now : closedAt.toInstant();
            return new Break(
                    found.get(BreakFields.ID, UUID.class),
                    found.getString(BreakFields.RAIL),
                    found.getString(BreakFields.DAY),
                    found.getString(BreakFields.KIND),
                    found.getString(BreakFields.RAIL_ID),
                    amount(found.getLong(BreakFields.OURS)),
                    amount(found.getLong(BreakFields.THEIRS)),
                    found.get(BreakFields.TRANSACTION_ID, UUID.class),
                    tenant == null ? null : new Tenant(tenant),
                    since,
                    Duration.between(since, until).toSeconds(),
                    closedAt == null ? null : closedAt.toInstant(),
                    found.getString(BreakFields.CLOSED_BY),
                    found.getString(BreakFields.REASON));
        }

        private static @Nullable String amount(@Nullable Long cents) {
            return cents == null ? null : BigDecimal.valueOf(cents, 2).toPlainString();
        }
    }
}
