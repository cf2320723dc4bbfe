package dev.ligeiro.desk.figure;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Projections.include;

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
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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

    private static final Logger LOG = LoggerFactory.getLogger(PaidDays.class);

    private static final Duration RECENT_KEPT = Duration.ofMinutes(1);
    private static final Duration KEPT = Duration.ofHours(6);
    private static final int RECENT_DAYS = 2;
    /** A page waits so long for days that are not added up yet, and then goes without them. */
    private static final long WAIT_MILLIS_MAX = 150;

    private static final long DAY_SECONDS_MAX = 60;

    private final MongoCollection<Document> balances;
    private final Clock clock;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(daemons());
    private final Map<Integer, Sum> sums = new ConcurrentHashMap<>();
    private CompletableFuture<Void> adding = CompletableFuture.completedFuture(null);

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

    /** The payments of a day in each mode. */
    private record Sum(Map<Mode, Document> byMode, Instant at) {}

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

    /** Those of all merchants in this mode; a day that is not added up yet is absent. */
    Map<Integer, Document> ofAll(Mode mode, List<Integer> days) {
        try {
            add(days).get(WAIT_MILLIS_MAX, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            // the page goes without these days
        }
        Map<Integer, Document> known = new HashMap<>();
        for (int day : days) {
            Sum sum = sums.get(day);
            if (sum != null) {
                known.put(day, sum.byMode().getOrDefault(mode, new Document(BalanceFields.COUNTED, true)));
            }
        }
        return known;
    }

    /** The newest days first. While some are being added up, later requests wait for the same ones. */
    private synchronized CompletableFuture<Void> add(List<Integer> days) {
        List<Integer> missing =
                days.stream().filter(this::isMissing).sorted((a, b) -> b - a).toList();
        if (adding.isDone() && !missing.isEmpty()) {
            adding = CompletableFuture.runAsync(() -> missing.forEach(this::tryToAdd), thread);
        }
        return adding;
    }

    private boolean isMissing(int day) {
        Sum sum = sums.get(day);
        boolean isRecent = day > BalanceFields.day(clock.instant()) - RECENT_DAYS;
        return sum == null || sum.at().plus(isRecent ? RECENT_KEPT : KEPT).isBefore(clock.instant());
    }

    /** A day that cannot be read does not keep the others away. */
    private void tryToAdd(int day) {
        try {
            add(day);
        } catch (RuntimeException failure) {
            LOG.atWarn()
                    .addKeyValue("event.action", "figures_not_read")
                    .addKeyValue("cause", failure.getClass().getSimpleName())
                    .log("The balances of a day could not be added up");
        }
    }

    private void add(int day) {
        Instant now = clock.instant();
        Map<Mode, Document> byMode = new EnumMap<>(Mode.class);
        for (Document balance : read(eq(BalanceFields.DAY_OF_ID, day)).comment(AllShards.OPERATOR)) {
            Tenant tenant = new Tenant(id(balance).getLong(BalanceFields.TENANT));
            Document sum = byMode.computeIfAbsent(tenant.mode(), mode -> new Document(BalanceFields.COUNTED, true));
            if (!balance.getBoolean(BalanceFields.COUNTED, false)) {
                sum.put(BalanceFields.COUNTED, false);
            }
            addTo(sum, new Document(BalanceFields.PAID, balance.get(BalanceFields.PAID, new Document())));
        }
        sums.put(day, new Sum(byMode, now));
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
