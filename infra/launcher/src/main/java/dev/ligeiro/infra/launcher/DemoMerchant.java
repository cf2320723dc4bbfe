package dev.ligeiro.infra.launcher;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.infra.launcher.Home.PrivateFile;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.UuidV7;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * A merchant for a first try, in one mode. In live mode its money moves at the bank of {@code --bank} only. It is stored as the desk would
 * store it: the first transaction need not wait for the desk.
 */
record DemoMerchant(String merchantId, String platformId, String apiKey) {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final List<String> ALL_SCOPES =
            List.of("transactions:read", "transactions:write", "cashouts:approve", "statement:read", "webhooks:manage");

    /** In test mode and, with a bank, in live mode. */
    record Modes(DemoMerchant test, @Nullable DemoMerchant live) {}

    /** Those of an earlier run if the database has their keys, else new ones, which the home keeps. */
    static Modes keptIn(Home home, Brokers brokers, boolean withLiveMode) {
        ConnectionString uri = new ConnectionString(brokers.mongodbUri());
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(uri)
                .applyToSslSettings(ssl -> ssl.context(brokers.mongodbTrust()))
                .uuidRepresentation(UuidRepresentation.STANDARD)
                .build();
        try (MongoClient client = MongoClients.create(settings)) {
            MongoDatabase database = client.getDatabase(Objects.requireNonNullElse(uri.getDatabase(), "test"));
            DemoMerchant test = kept(home.demoMerchant(), database);
            if (test == null) {
                test = create(home.demoMerchant(), database, newMerchant(database), Mode.TEST);
            }
            DemoMerchant live = withLiveMode ? kept(home.demoLiveMode(), database) : null;
            if (withLiveMode && (live == null || !live.merchantId.equals(test.merchantId))) {
                live = create(home.demoLiveMode(), database, UUID.fromString(test.merchantId), Mode.LIVE);
            }
            return new Modes(test, live);
        }
    }

    /** The database does not have the key when it is another one. */
    private static @Nullable DemoMerchant kept(Path file, MongoDatabase database) {
        if (!Files.exists(file)) {
            return null;
        }
        DemoMerchant kept = read(file);
        Document key = found(database.getCollection(CollectionNames.API_KEYS)
                .find(Filters.eq("hash", ApiKey.hash(kept.apiKey)))
                .first());
        return key == null ? null : kept;
    }

    private static UUID newMerchant(MongoDatabase database) {
        Document counter = found(database.getCollection(CollectionNames.COUNTERS)
                .findOneAndUpdate(
                        Filters.eq("merchant"),
                        Updates.inc("value", 1L),
                        new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER)));
        UUID id = newId();
        insert(
                database,
                CollectionNames.MERCHANTS,
                new Document("_id", id)
                        .append("number", Objects.requireNonNull(counter).getLong("value"))
                        .append("name", "Demo merchant")
                        .append("city", "SAO PAULO")
                        .append("fees", new Document())
                        .append("limits", new Document("amounts", new Document()))
                        .append("platforms", List.of())
                        .append("createdAt", Date.from(Instant.now())));
        return id;
    }

    private static DemoMerchant create(Path file, MongoDatabase database, UUID merchantId, Mode mode) {
        UUID platformId = newId();
        Document platform =
                new Document("_id", platformId).append("name", "Demo platform").append("mode", mode.name());
        found(database.getCollection(CollectionNames.MERCHANTS)
                .updateOne(Filters.eq(merchantId), Updates.push("platforms", platform)));
        String key = ApiKey.generate(mode);
        insert(
                database,
                CollectionNames.API_KEYS,
                new Document("_id", newId())
                        .append("hash", ApiKey.hash(key))
                        .append("start", ApiKey.start(key))
                        .append("merchantId", merchantId)
                        .append("mode", mode.name())
                        .append("scopes", ALL_SCOPES)
                        .append("createdAt", Date.from(Instant.now())));
        DemoMerchant created = new DemoMerchant(merchantId.toString(), platformId.toString(), key);
        PrivateFile.write(file, JSON.writeValueAsString(created));
        return created;
    }

    private static void insert(MongoDatabase database, String collection, Document document) {
        found(database.getCollection(collection).insertOne(document));
    }

    private static <T> @Nullable T found(Publisher<T> answer) {
        return Mono.from(answer).block(ANSWER_MAX);
    }

    private static UUID newId() {
        return UuidV7.at(System.currentTimeMillis());
    }

    private static DemoMerchant read(Path file) {
        try {
            return JSON.readValue(Files.readString(file), DemoMerchant.class);
        } catch (IOException e) {
            throw new CannotStartException(file + " cannot be read: " + e, e);
        }
    }

    /** Without the API key. */
    @Override
    public String toString() {
        return "DemoMerchant[" + merchantId + "]";
    }
}
