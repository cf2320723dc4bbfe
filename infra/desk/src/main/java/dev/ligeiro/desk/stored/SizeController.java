package dev.ligeiro.desk.stored;

import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.UuidV7;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The sizes of MongoDB's collections, and what they will be in a year. */
@RestController
@Tag(name = "sizes")
public class SizeController {

    private static final int SECONDS_MAX = 2;
    private static final int HOURS = 24;
    private static final int MINUTES = 60;
    private static final int DAYS = 365;

    private final MongoTemplate mongo;
    private final Clock clock;

    SizeController(MongoTemplate mongo, Clock clock) {
        this.mongo = mongo;
        this.clock = clock;
    }

    /**
     * @param bytes of the documents before compression
     * @param storageBytes on the disk of one member of each shard, without indexes
     */
    public record Size(String collection, long documents, long bytes, long storageBytes, long indexBytes) {

        long diskBytes() {
            return storageBytes + indexBytes;
        }
    }

    /**
     * @param diskBytes of all collections, with indexes
     * @param transactionBytes on disk, of a mean transaction with its postings and indexes; null without one
     * @param createdDaily estimated from one minute of each of the last 24 hours; null if MongoDB takes too long
     * @param diskBytesNextYear null if transactionBytes or createdDaily is; collections whose documents expire are taken as constant
     */
    public record Sizes(
            List<Size> collections,
            long diskBytes,
            @Nullable Long transactionBytes,
            @Nullable Long createdDaily,
            @Nullable Long diskBytesNextYear) {}

    @GetMapping("/admin/sizes")
    @Needs(Role.READ)
    @Operation(summary = "the sizes of the collections, the largest first, and a forecast of a year")
    Sizes show() {
        MongoDatabase database = mongo.getDb().withReadPreference(ReadPreference.secondaryPreferred());
        List<Size> sizes = new ArrayList<>();
        for (String name : database.listCollectionNames()) {
            if (!name.startsWith("system.")) {
                sizes.add(size(database, name));
            }
        }
        sizes.sort(Comparator.comparingLong(Size::diskBytes).reversed().thenComparing(Size::collection));
        long transactions = of(sizes, CollectionNames.TRANSACTIONS).documents;
        Long each = transactions == 0
                ? null
                : (of(sizes, CollectionNames.TRANSACTIONS).diskBytes()
                                + of(sizes, CollectionNames.POSTINGS).diskBytes())
                        / transactions;
        Long aDay = createdDaily(database);
        long now = sizes.stream().mapToLong(Size::diskBytes).sum();
        return new Sizes(sizes, now, each, aDay, each == null || aDay == null ? null : now + DAYS * aDay * each);
    }

    private static Size of(List<Size> sizes, String collection) {
        return sizes.stream()
                .filter(size -> size.collection.equals(collection))
                .findFirst()
                .orElse(new Size(collection, 0, 0, 0, 0));
    }

    /** The sum of its shards. */
    private static Size size(MongoDatabase database, String name) {
        long documents = 0;
        long bytes = 0;
        long storage = 0;
        long indexes = 0;
        for (Document shard : database.getCollection(name)
                .aggregate(List.of(new Document("$collStats", new Document("storageStats", new Document()))))
                .comment(AllShards.OPERATOR)
                .maxTime(SECONDS_MAX, TimeUnit.SECONDS)) {
            Document stats = shard.get("storageStats", Document.class);
            documents += number(stats, "count");
            bytes += number(stats, "size");
            storage += number(stats, "storageSize");
            indexes += number(stats, "totalIndexSize");
        }
        return new Size(name, documents, bytes, storage, indexes);
    }

    private static long number(Document stats, String field) {
        return stats.get(field) instanceof Number number ? number.longValue() : 0;
    }

    /** At 1,000 transactions/s these minutes have 1.4 million; a whole day would take minutes to count. */
    private @Nullable Long createdDaily(MongoDatabase database) {
        Instant now = clock.instant();
        long counted = 0;
        for (int hour = 1; hour <= HOURS; hour++) {
            Instant from = now.minus(Duration.ofHours(hour));
            try {
                counted += database.getCollection(CollectionNames.TRANSACTIONS)
                        .countDocuments(
                                Filters.and(
                                        Filters.gte(TransactionFields.ID, UuidV7.lowest(from.toEpochMilli())),
                                        Filters.lt(
                                                TransactionFields.ID,
                                                UuidV7.lowest(from.plusSeconds(MINUTES)
                                                        .toEpochMilli()))),
                                new CountOptions()
                                        .hint(new Document(TransactionFields.ID, 1))
                                        .comment(AllShards.OPERATOR)
                                        .maxTime(SECONDS_MAX, TimeUnit.SECONDS));
            } catch (MongoExecutionTimeoutException slow) {
                return null;
            }
        }
        return counted * MINUTES;
    }
}
