package dev.ligeiro.desk.attention;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.ReadPreference;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.ResolutionFields;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.DisabledReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.stereotype.Component;

/** Counts the open work in MongoDB up to 100 of each kind, with the oldest of it: each a query of at most 101 entries of an index. */
@Component
class OpenWorkStore {

    private static final Duration UNKNOWN_FOR = Duration.ofMinutes(10);
    private static final Duration UNACCEPTED_FOR = Duration.ofMinutes(1);
    private static final long QUERY_SECONDS_MAX = 2;

    private final MongoDatabase database;

    OpenWorkStore(MongoDatabaseFactory mongo) {
        this.database = mongo.getMongoDatabase().withReadPreference(ReadPreference.secondaryPreferred());
    }

    /** The transactions whose outcome has been unknown for longer than 10 minutes. */
    OpenWork unknownOutcomes(Instant now) {
        String since = TransactionFields.UNSETTLED_SINCE;
        return count(CollectionNames.TRANSACTIONS, lt(since, Date.from(now.minus(UNKNOWN_FOR))), since, now);
    }

    OpenWork approvals(Instant now) {
        String since = TransactionFields.APPROVAL_SINCE;
        return count(CollectionNames.TRANSACTIONS, exists(since), since, now);
    }

    /** The transactions that no processor has accepted for a minute. */
    OpenWork unaccepted(Instant now) {
        String since = TransactionFields.UNACCEPTED;
        return count(CollectionNames.TRANSACTIONS, lt(since, Date.from(now.minus(UNACCEPTED_FOR))), since, now);
    }

    OpenWork unmatchedPayments(Instant now) {
        return count(
                CollectionNames.UNMATCHED_PAYMENTS,
                exists(UnmatchedPaymentFields.RESOLVED, false),
                UnmatchedPaymentFields.AT,
                now);
    }

    OpenWork breaks(Instant now) {
        return count(CollectionNames.BREAKS, exists(BreakFields.OPEN), BreakFields.SINCE, now);
    }

    /** The proposals that wait for a second operator. */
    OpenWork resolutions(Instant now) {
        return count(
                CollectionNames.RESOLUTIONS,
                eq(ResolutionFields.STATE, ResolutionState.PROPOSED.code()),
                ResolutionFields.ID,
                now);
    }

    OpenWork failingEndpoints(Instant now) {
        return count(CollectionNames.LANES, exists(LaneFields.FAILING_SINCE), LaneFields.FAILING_SINCE, now);
    }

    /** Those that dispatchers have disabled; not those of a merchant's own will. */
    OpenWork disabledEndpoints(Instant now) {
        return count(
                CollectionNames.ENDPOINTS,
                and(
                        eq(EndpointFields.ENABLED, false),
                        in(EndpointFields.DISABLED_REASON, DisabledReason.GONE.code(), DisabledReason.FAILING.code())),
                EndpointFields.STATUS_SINCE,
                now);
    }

    /** @param time a time, or an id that begins with one */
    private OpenWork count(String collection, Bson which, String time, Instant now) {
        List<Document> found = database.getCollection(collection)
                .find(which)
                .sort(Sorts.ascending(time))
                .projection(Projections.include(time))
                .limit(Slice.ITEMS_MAX + 1)
                .maxTime(QUERY_SECONDS_MAX, TimeUnit.SECONDS)
                .into(new ArrayList<>());
        return OpenWork.of(
                Math.min(found.size(), Slice.ITEMS_MAX),
                found.size() > Slice.ITEMS_MAX,
                found.isEmpty() ? null : time(found.get(0), time),
                now);
    }

    private static Instant time(Document found, String time) {
        return found.get(time) instanceof UUID id
                ? Instant.ofEpochMilli(UuidV7.epochMilli(id))
                : found.getDate(time).toInstant();
    }
}
