package dev.ligeiro.infra.loadtest.list;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.MerchantHistory;
import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.bson.Document;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Stores the past transactions of merchants, once in a home: a collection in MongoDB says which are complete. */
final class Fills {

    private static final Duration ANSWER_MAX = Duration.ofMinutes(30);
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final String MODE = "test";
    private static final String MERCHANT = "merchant";
    private static final String PLATFORM = "platform";
    private static final String FROM = "from";
    private static final String DAYS = "days";
    private static final String COUNT = "count";
    private static final String DONE = "done";

    private final LoadTestContext context;
    private final MongoCollection<Document> fills;

    /**
     * A merchant with past transactions.
     *
     * @param name of its role in the test
     * @param id given by the gateway
     * @param stored whether an earlier run has stored the past transactions
     */
    record FilledMerchant(String name, String id, MerchantApi api, MerchantHistory history, boolean stored) {

        Tenant tenant() {
            return history.sample().tenant();
        }
    }

    Fills(LoadTestContext context) {
        this.context = context;
        this.fills = context.stored().database().getCollection("loadtest_histories");
    }

    /**
     * The merchant that an earlier run has filled, or a new one. Nobody must have asked for its lists before it is filled: the gateway
     * caches counts of past days, to which no transaction is ever added.
     *
     * @throws CannotRunException when the earlier fill was interrupted or has another size
     */
    FilledMerchant merchant(String name, int days, long count) {
        DemoEnv env = context.system().env();
        AdminApi admin = AdminApi.of(env);
        Optional<Document> earlier = Mono.from(fills.find(Filters.eq(name)).first())
                .blockOptional(ANSWER_MAX)
                .map(fill -> requireSame(fill, days, count));
        String id = earlier.map(fill -> fill.getString(MERCHANT))
                .orElseGet(() -> admin.createMerchant("Load test " + name));
        String platform = earlier.map(fill -> fill.getString(PLATFORM))
                .orElseGet(() -> admin.createPlatform(id, "Load test", MODE));
        MerchantApi api = new MerchantApi(new Api(env.baseUrl(), admin.createKey(id, MODE)), platform);
        Transaction sample = context.stored().get(LoadTestContext.createCashin(api));
        MerchantHistory history = earlier.map(fill -> Instant.parse(fill.getString(FROM)))
                .map(from -> new MerchantHistory(sample, from, days, count))
                .orElseGet(() -> MerchantHistory.untilToday(sample, days, count));
        return new FilledMerchant(name, id, api, history, earlier.isPresent());
    }

    private static Document requireSame(Document fill, int days, long count) {
        if (!fill.getBoolean(DONE, false)) {
            throw new CannotRunException("the fill of this home was interrupted: use another home");
        }
        if (fill.getInteger(DAYS) != days || fill.getLong(COUNT) != count) {
            throw new CannotRunException(
                    "this home has %d transactions of %d days (expected: %d of %d): use another home"
                            .formatted(fill.getLong(COUNT), fill.getInteger(DAYS), count, days));
        }
        return fill;
    }

    /** Stores the transactions that no earlier run has stored; mongod has written them to its data files. */
    void store(List<FilledMerchant> merchants) {
        merchants.stream().filter(merchant -> !merchant.stored()).forEach(this::store);
    }

    private void store(FilledMerchant merchant) {
        MerchantHistory history = merchant.history();
        Progress.say("storing %d transactions of the merchant %s, %s", history.count(), merchant.name(), merchant.id());
        await(fills.insertOne(new Document("_id", merchant.name())
                .append(MERCHANT, merchant.id())
                .append(PLATFORM, merchant.api().platformId())
                .append(FROM, history.from().toString())
                .append(DAYS, history.days())
                .append(COUNT, history.count())));
        context.stored().add(history::get, history.count(), progress());
        await(fills.updateOne(Filters.eq(merchant.name()), Updates.set(DONE, true)));
    }

    private static LongConsumer progress() {
        long startedAt = System.nanoTime();
        long[] saidAt = {startedAt};
        return count -> {
            long now = System.nanoTime();
            if (now - saidAt[0] > PROGRESS_NANOS) {
                saidAt[0] = now;
                Progress.say("  %d stored, %.0f/s", count, count * 1e9 / (now - startedAt));
            }
        };
    }

    private static void await(Publisher<?> command) {
        Mono.from(command).block(ANSWER_MAX);
    }
}
