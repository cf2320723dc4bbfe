package dev.ligeiro.desk.figure;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Projections.include;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.mongodb.ReadPreference;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

/**
 * The payments of UTC days, as documents with the fields {@link BalanceFields#COUNTED} and {@link BalanceFields#PAID} of a balance. The books
 * have a balance for each merchant and day: a million for a month of 30,000 merchants. So those of all merchants are added up day by day in
 * one thread beside the pages, and kept: the last two days for a minute, older ones, to which only late events are added, for six hours.
 */
@Component
class PaidDays implements AutoCloseable {

    private static final Duration RECENT_KEPT = Duration.ofMinutes(1);
    private static final Duration KEPT = Duration.ofHours(6);
    private static final int RECENT_DAYS = 2;
    /** More than the longest range. */
    private static final int DAYS_MAX = 200;
    /** A page waits so long for days that are not added up yet, and then goes without them. */
    private static final long WAIT_MILLIS_MAX = 150;

    private static final long DAY_SECONDS_MAX = 60;

    private final MongoCollection<Document> balances;
    private final Clock clock;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(daemons());
    private final AsyncLoadingCache<Integer, Map<Mode, Document>> sums = Caffeine.newBuilder()
            .maximumSize(DAYS_MAX)
            .expireAfter(Expiry.<Integer, Map<Mode, Document>>writing((day, sum) -> isRecent(day) ? RECENT_KEPT : KEPT))
            .executor(thread)
            .buildAsync(this::sum);

    PaidDays(MongoTemplate mongo, Clock clock) {
        this.balances =
                mongo.getCollection(CollectionNames.BALANCES).withReadPreference(ReadPreference.secondaryPreferred());
        this.clock = clock;
    }

    private static CustomizableThreadFactory daemons() {
        CustomizableThreadFactory factory = new CustomizableThreadFactory("figures-");
        factory.setDaemon(true);
        return factory;
    }

    private boolean isRecent(int day) {
        return day > BalanceFields.day(clock.instant()) - RECENT_DAYS;
    }

    /** Those of one merchant; a day without payments is absent. */
    Map<Integer, Document> of(Tenant tenant, List<Integer> days) {
        Bson range = and(
                gte(BalanceFields.ID, BalanceFields.id(tenant, days.get(0))),
                lte(BalanceFields.ID, BalanceFields.id(tenant, days.get(days.size() - 1))));
        Map<Integer, Document> found = new HashMap<>();
        for (Document balance : read(range)) {
            found.put(id(balance).getInteger(BalanceFields.DAY), balance);
        }
        return found;
    }

    /** Those of all merchants in this mode; a day that is not added up yet is absent. The newest days are added up first. */
    Map<Integer, Document> ofAll(Mode mode, List<Integer> days) {
        Map<Integer, CompletableFuture<Map<Mode, Document>>> adding = new LinkedHashMap<>();
        days.stream().sorted(Comparator.reverseOrder()).forEach(day -> adding.put(day, sums.get(day)));
        CompletableFuture.allOf(adding.values().toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, WAIT_MILLIS_MAX, TimeUnit.MILLISECONDS)
                .exceptionally(unreadable -> null)
                .join();
        Map<Integer, Document> known = new HashMap<>();
        adding.forEach((day, future) -> {
            if (future.isDone() && !future.isCompletedExceptionally()) {
                known.put(day, future.join().getOrDefault(mode, new Document(BalanceFields.COUNTED, true)));
            }
        });
        return known;
    }

    private Map<Mode, Document> sum(int day) {
        Map<Mode, Document> byMode = new EnumMap<>(Mode.class);
        for (Document balance : read(eq(BalanceFields.DAY_OF_ID, day)).comment(AllShards.OPERATOR)) {
            Tenant tenant = new Tenant(id(balance).getLong(BalanceFields.TENANT));
            Document sum = byMode.computeIfAbsent(tenant.mode(), mode -> new Document(BalanceFields.COUNTED, true));
            if (!balance.getBoolean(BalanceFields.COUNTED, false)) {
                sum.put(BalanceFields.COUNTED, false);
            }
            addTo(sum, new Document(BalanceFields.PAID, balance.get(BalanceFields.PAID, new Document())));
        }
        return byMode;
    }

    private static void addTo(Document sum, Document more) {
        more.forEach((field, value) -> {
            if (value instanceof Document inner) {
                addTo((Document) sum.computeIfAbsent(field, absent -> new Document()), inner);
            } else {
                sum.merge(field, value, (a, b) -> ((Number) a).longValue() + ((Number) b).longValue());
            }
        });
    }

    private FindIterable<Document> read(Bson which) {
        return balances.find(which)
                .projection(include(BalanceFields.COUNTED, BalanceFields.PAID))
                .maxTime(DAY_SECONDS_MAX, TimeUnit.SECONDS);
    }

    private static Document id(Document balance) {
        return balance.get(BalanceFields.ID, Document.class);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
