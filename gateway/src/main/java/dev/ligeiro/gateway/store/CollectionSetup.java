package dev.ligeiro.gateway.store;

import static com.mongodb.client.model.Indexes.ascending;
import static dev.ligeiro.store.CollectionNames.*;
import static dev.ligeiro.store.TransactionFields.*;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationStrength;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.BucketVersionFields;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.ErasureFields;
import dev.ligeiro.store.GuardDocument;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.QueuedChange;
import dev.ligeiro.store.RedactionFields;
import dev.ligeiro.store.ResolutionFields;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.support.PayloadLocationStore;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.support.mongo.IndexBuild;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Creates the gateway's collections and their indexes at start. Creating an existing index has no effect, so every gateway does
 * it at every start. While MongoDB is unavailable it retries, and the gateway is not ready. When MongoDB refuses an index, the gateway
 * stays unready until the operator has mended the collection and starts it again.
 *
 * <p>The first gateway also decides from which day on search tokens begin with their day: from the first one in a new installation. Otherwise
 * from the day after tomorrow: until then all gateways of the version before, which would neither write nor find such tokens, are replaced.
 */
@Component
public class CollectionSetup implements SmartLifecycle, HealthIndicator {

    /** Only while the replay is running. */
    public static final String REPLAY_LEASE_UNTIL = "leaseUntil";

    /** Only when the replay has ended. */
    public static final String REPLAY_ENDED_AT = "endedAt";

    /** One document for each day and filter whose matches have been counted. */
    public static final String LIST_COUNTS = "list_counts";

    public static final String LIST_COUNTS_USED_AT = "usedAt";

    private static final Logger LOG = LoggerFactory.getLogger(CollectionSetup.class);
    private static final Duration RETRY_MIN = Duration.ofMillis(500);
    private static final Duration RETRY_MAX = Duration.ofSeconds(5);
    /** Longer than Kafka keeps a dead letter (30 days by default): a forgotten one could be redriven once more. */
    private static final long REDRIVEN_DAYS = 400;

    /**
     * CannotCreateIndex, IndexOptionsConflict, IndexKeySpecsConflict, InvalidIndexSpecificationOption, DuplicateKey: an index with this name
     * or these keys is another one, or stored documents break its rule. Other errors of MongoDB may pass.
     */
    private static final Set<Integer> REFUSALS = Set.of(67, 85, 86, 197, 11000);

    private static final Pattern DUPLICATE_VALUES = Pattern.compile("(?s) dup key: .*");

    private static final long REPLAY_DAYS = 30;

    private static final long LIST_COUNT_DAYS = 30;

    /** Lists renew versions that they read. Versions that are removed are made again, and their days are counted anew. */
    private static final long BUCKET_VERSION_DAYS = 180;

    private static final long ENDPOINT_CHANGE_DAYS = 400;

    /** Five years. */
    private static final long AUDIT_DAYS = 5 * 366;

    /** Whole days that an upgrade of all gateways may take. */
    private static final int UPGRADE_DAYS = 1;

    private final MongoDatabase database;
    private final Clock clock;
    private volatile long tokenDaysFrom;
    private volatile boolean done;
    private volatile boolean running;
    private volatile Disposable setup = () -> {};

    CollectionSetup(MongoDatabase database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    public boolean isDone() {
        return done;
    }

    /**
     * The first day whose transactions have search tokens with their day, by its number since 1970.
     *
     * @throws IllegalStateException before the setup is done
     */
    public long tokenDaysFrom() {
        if (!done) {
            throw new IllegalStateException("the collections are not ready");
        }
        return tokenDaysFrom;
    }

    /** Part of readiness: without the unique indexes, two transactions of a tenant could have the same reference or idempotency key. */
    @Override
    public Health health() {
        return done ? Health.up().build() : Health.outOfService().build();
    }

    @Override
    public void start() {
        running = true;
        setup = decideTokenDays()
                .then(createIndexes())
                .retryWhen(Retry.backoff(Long.MAX_VALUE, RETRY_MIN)
                        .maxBackoff(RETRY_MAX)
                        .filter(failure -> !isRefusal(failure))
                        .doBeforeRetry(signal -> line(LOG.atWarn(), "collections_not_ready", signal.failure())
                                .addKeyValue("attempt", signal.totalRetries() + 1)
                                .log("The indexes could not be created; the gateway tries again")))
                .subscribe(
                        ignored -> {},
                        failure -> line(LOG.atError(), "collections_failed", failure)
                                .log("An index cannot be created; the gateway stays unready until it is started again"),
                        () -> done = true);
    }

    private static boolean isRefusal(Throwable failure) {
        return failure instanceof MongoException refused && REFUSALS.contains(refused.getCode());
    }

    private static LoggingEventBuilder line(LoggingEventBuilder line, String action, Throwable failure) {
        LoggingEventBuilder named = line.addKeyValue("event.action", action)
                .addKeyValue("cause", failure.getClass().getSimpleName());
        return failure instanceof MongoServerException answered
                ? named.addKeyValue("code", answered.getCode()).addKeyValue("message", withoutValues(answered))
                : named;
    }

    /** Of a duplicate, MongoDB's message has the index and then the values. */
    private static String withoutValues(MongoServerException answered) {
        String message = answered instanceof MongoCommandException command
                ? command.getErrorMessage()
                : String.valueOf(answered.getMessage());
        return DUPLICATE_VALUES.matcher(message).replaceAll("");
    }

    private Mono<Void> decideTokenDays() {
        MongoCollection<Document> leases = database.getCollection(LEASES);
        return Mono.defer(() -> Mono.from(database.getCollection(TRANSACTIONS)
                        .find()
                        .comment(AllShards.SETUP)
                        .first()))
                .map(older ->
                        LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toEpochDay() + 1 + UPGRADE_DAYS)
                .defaultIfEmpty(0L)
                .flatMap(from -> Mono.from(leases.findOneAndUpdate(
                        Filters.eq(SearchTokens.DAYS_ID),
                        Updates.setOnInsert(SearchTokens.DAYS_FROM, from),
                        new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER))))
                .doOnNext(decided -> tokenDaysFrom = decided.getLong(SearchTokens.DAYS_FROM))
                .then();
    }

    private Mono<Void> createIndexes() {
        return Flux.fromIterable(indexes().entrySet())
                .concatMap(each -> IndexBuild.run(database.getCollection(each.getKey()), each.getValue()))
                .then();
    }

    private static Map<String, List<IndexModel>> indexes() {
        Map<String, List<IndexModel>> all = new LinkedHashMap<>();
        // as few as possible, because every insert updates each of them; RATIONALE.md has the cost of each
        all.put(
                TRANSACTIONS,
                List.of(
                        unique(ifPresent(REFERENCE, TENANT, REFERENCE)),
                        unique(ifPresent(IDEMPOTENCY_KEYS, TENANT, IDEMPOTENCY_KEYS)),
                        index(TENANT, ID),
                        index(TENANT, STATUS, ID),
                        index(TENANT, SEARCH, ID),
                        ifPresent(UNACCEPTED, UNACCEPTED, ID),
                        ifPresent(DUE, DUE, ID),
                        ifPresent(UNSETTLED_SINCE, UNSETTLED_SINCE, ID),
                        ifPresent(APPROVAL_SINCE, APPROVAL_SINCE, ID),
                        ifPresent(DEFENSE_SINCE, DEFENSE_SINCE, ID)));
        all.put(
                UNMATCHED_PAYMENTS,
                List.of(
                        index(UnmatchedPaymentFields.AT, UnmatchedPaymentFields.ID),
                        index(UnmatchedPaymentFields.TRANSACTION_ID),
                        ifPresent(
                                UnmatchedPaymentFields.RETURN_REPORTED_AT, UnmatchedPaymentFields.RETURN_REPORTED_AT)));
        // a merchant's list without and with a status, a transaction's; what processors read again and report; what
        // operators look at
        all.put(
                DISPUTES,
                List.of(
                        ifPresent(
                                StoredDispute.TENANT, StoredDispute.TENANT, StoredDispute.OPENED_AT, StoredDispute.ID),
                        ifPresent(
                                StoredDispute.TENANT,
                                StoredDispute.TENANT,
                                StoredDispute.STATUS,
                                StoredDispute.OPENED_AT,
                                StoredDispute.ID),
                        index(StoredDispute.TRANSACTION_ID),
                        index(StoredDispute.RAIL, StoredDispute.STATUS, StoredDispute.OPENED_AT),
                        index(StoredDispute.STATUS, StoredDispute.DEADLINE),
                        ifPresent(StoredDispute.REPORT_AT, StoredDispute.RAIL, StoredDispute.REPORT_AT),
                        ifPresent(StoredDispute.UNMATCHED_SINCE, StoredDispute.UNMATCHED_SINCE)));
        all.put(
                RESOLUTIONS,
                List.of(
                        unique(ifPresent(ResolutionFields.OPEN, ResolutionFields.OPEN)),
                        index(ResolutionFields.STATE, ResolutionFields.ID)));
        all.put(
                REDACTIONS,
                List.of(index(RedactionFields.DUE), ifPresent(RedactionFields.ERASURES, RedactionFields.ERASURES)));
        all.put(
                ERASURES,
                List.of(
                        unique(ifPresent(ErasureFields.OPEN, ErasureFields.OPEN)),
                        index(ErasureFields.STATE, ErasureFields.ID)));
        // one for statements, over what moves the merchant's account; two for reconciliation, over what a list of the
        // rail can have. A
        // posting leaves the last one when it is reconciled. A paid test cashin is in the first one only
        all.put(
                POSTINGS,
                List.of(
                        named(
                                PostingFields.STATEMENT_INDEX,
                                ifPresent(
                                        PostingFields.GROSS, PostingFields.TENANT, PostingFields.AT, PostingFields.ID)),
                        named(
                                PostingFields.RAIL_ID_INDEX,
                                ifPresent(PostingFields.RAIL_ID, PostingFields.RAIL_NAME, PostingFields.RAIL_ID)),
                        named(
                                PostingFields.UNRECONCILED_INDEX,
                                ifPresent(PostingFields.UNRECONCILED, PostingFields.RAIL_NAME, PostingFields.AT))));
        all.put(
                BREAKS,
                List.of(
                        named(BreakFields.OPEN_INDEX, ifPresent(BreakFields.OPEN, BreakFields.SINCE, BreakFields.ID)),
                        index(BreakFields.SINCE, BreakFields.ID)));
        all.put(
                BALANCES,
                List.of(
                        named(BalanceFields.DAYS_INDEX, index(BalanceFields.ID, BalanceFields.MERCHANT)),
                        ifPresent(BalanceFields.DAY_OF_ID, BalanceFields.DAY_OF_ID)));
        all.put(PAYLOAD_LOCATIONS, List.of(index(PayloadLocationStore.RAIL)));
        all.put(
                ENDPOINTS,
                List.of(
                        index(EndpointFields.TENANT),
                        named(
                                "disabled",
                                partial(Filters.eq(EndpointFields.ENABLED, false), EndpointFields.STATUS_SINCE)),
                        unique(ifPresent(EndpointFields.SLOT, EndpointFields.TENANT, EndpointFields.SLOT))));
        all.put(DELIVERIES, List.of(undelivered(), feed()));
        // an endpoint has at most one running replay
        all.put(
                REPLAYS,
                List.of(
                        unique(ifPresent(REPLAY_LEASE_UNTIL, "endpoint")),
                        ifPresent(REPLAY_LEASE_UNTIL, REPLAY_LEASE_UNTIL),
                        expiring(REPLAY_ENDED_AT, REPLAY_DAYS)));
        all.put(QUEUED_CHANGES, List.of(index(QueuedChange.REQUESTED_AT)));
        all.put(LIST_COUNTS, List.of(expiring(LIST_COUNTS_USED_AT, LIST_COUNT_DAYS)));
        all.put(BUCKET_VERSIONS, List.of(expiring(BucketVersionFields.AT, BUCKET_VERSION_DAYS)));
        all.put(API_KEYS, List.of(unique(index("hash")), index("merchantId", "_id"), ifPresent("start", "start")));
        all.put(
                "console_sessions",
                List.of(
                        unique(ifPresent("linkHash", "linkHash")),
                        unique(ifPresent("cookieHash", "cookieHash")),
                        index("keyId", "_id"),
                        expiring("expiresAt", 0)));
        all.put(
                ENDPOINT_CHANGES,
                List.of(index("key", "_id"), index("endpoint", "_id"), expiring("at", ENDPOINT_CHANGE_DAYS)));
        all.put(MERCHANTS, List.of(unique(index("number")), merchantNames()));
        all.put(GUARDS, List.of(index(GuardDocument.CHANGED_AT)));
        all.put(
                ADMIN_AUDIT,
                List.of(
                        index("merchantId", "_id"),
                        index("operator", "_id"),
                        index("action", "_id"),
                        ifPresent("unsent", "unsent", "_id"),
                        expiring("at", AUDIT_DAYS)));
        all.put(DEAD_LETTERS_REDRIVEN, List.of(expiring("redrivenAt", REDRIVEN_DAYS)));
        return all;
    }

    private static IndexModel index(String... fields) {
        return new IndexModel(ascending(fields), new IndexOptions());
    }

    private static IndexModel partial(Bson condition, String... fields) {
        return new IndexModel(ascending(fields), new IndexOptions().partialFilterExpression(condition));
    }

    /** Has only the documents with the field {@code present}. */
    private static IndexModel ifPresent(String present, String... fields) {
        return partial(Filters.exists(present), fields);
    }

    private static IndexModel unique(IndexModel index) {
        index.getOptions().unique(true);
        return index;
    }

    private static IndexModel named(String name, IndexModel index) {
        index.getOptions().name(name);
        return index;
    }

    /** MongoDB deletes a document when so many days have passed since the time in the field. */
    private static IndexModel expiring(String field, long days) {
        return new IndexModel(ascending(field), new IndexOptions().expireAfter(days, TimeUnit.DAYS));
    }

    /** For an operator who searches by the beginning of a name: without regard to case and accents, as the desk compares names. */
    private static IndexModel merchantNames() {
        IndexModel names = named("names", index("name"));
        names.getOptions()
                .collation(Collation.builder()
                        .locale("pt")
                        .collationStrength(CollationStrength.PRIMARY)
                        .build());
        return names;
    }

    /** Lists of deliveries by a status other than delivered. A delivery that succeeds at once is never in it, and costs nothing. */
    private static IndexModel undelivered() {
        Bson notDelivered = Filters.in(
                DeliveryFields.STATUS,
                DeliveryStatus.SCHEDULED.code(),
                DeliveryStatus.EXHAUSTED.code(),
                DeliveryStatus.CANCELED.code());
        return named("undelivered", partial(notDelivered, DeliveryFields.STATUS, DeliveryFields.ID));
    }

    /** Feeds are read by it. The dispatcher creates it too, because its uniqueness keeps two of them from giving the same number. */
    private static IndexModel feed() {
        return named(
                DeliveryFields.FEED_INDEX,
                unique(ifPresent(DeliveryFields.FEED_NUMBER, DeliveryFields.ENDPOINT, DeliveryFields.FEED_NUMBER)));
    }

    @Override
    public void stop() {
        setup.dispose();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
