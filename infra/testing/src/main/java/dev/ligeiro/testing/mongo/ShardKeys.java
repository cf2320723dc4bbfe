package dev.ligeiro.testing.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.TransactionFields;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Listens to the commands of a MongoDB client, and keeps those that do not name the shard key of their collection, and unique indexes that do
 * not begin with it.
 */
public final class ShardKeys implements CommandListener {

    static final Map<String, String> KEYS = Map.of(
            CollectionNames.TRANSACTIONS, TransactionFields.TENANT,
            CollectionNames.DELIVERIES, DeliveryFields.ENDPOINT,
            CollectionNames.POSTINGS, PostingFields.TENANT);
    /** How {@code AllShards} begins the comments of the commands that ask all shards. */
    private static final String EXCEPTION = "all shards: ";

    /** An example of each command by its kind. */
    private final Map<String, BsonDocument> withoutKey = new ConcurrentHashMap<>();

    private volatile boolean heard;

    @Override
    public void commandStarted(CommandStartedEvent event) {
        String name = event.getCommandName();
        BsonDocument command = event.getCommand();
        BsonValue collection = command.get(name);
        if (collection == null || !collection.isString()) {
            return;
        }
        String key = KEYS.get(collection.asString().getValue());
        heard |= key != null;
        if (key == null || isException(command)) {
            return;
        }
        filters(name, command)
                .filter(filter -> !names(filter, key))
                .forEach(filter -> withoutKey.putIfAbsent(
                        name + " " + collection.asString().getValue() + ": " + filter.keySet(), filter));
    }

    private static boolean isException(BsonDocument command) {
        return command.get("comment") instanceof BsonString comment
                && comment.getValue().startsWith(EXCEPTION);
    }

    /** The filters of the command; for an insert, its documents; of unique indexes, the first fields. */
    private static Stream<BsonDocument> filters(String name, BsonDocument command) {
        return switch (name) {
            case "find" -> Stream.of(command.getDocument("filter", new BsonDocument()));
            case "count", "distinct", "findAndModify" -> Stream.of(command.getDocument("query", new BsonDocument()));
            case "update" -> documents(command.getArray("updates")).map(update -> update.getDocument("q"));
            case "delete" -> documents(command.getArray("deletes")).map(delete -> delete.getDocument("q"));
            case "insert" -> documents(command.getArray("documents"));
            case "aggregate" ->
                Stream.of(documents(command.getArray("pipeline"))
                        .findFirst()
                        .map(stage -> stage.getDocument("$match", new BsonDocument()))
                        .orElseGet(BsonDocument::new));
            case "createIndexes" ->
                documents(command.getArray("indexes"))
                        .filter(index ->
                                index.getBoolean("unique", BsonBoolean.FALSE).getValue())
                        .map(index -> index.getDocument("key"))
                        .map(fields -> new BsonDocument(fields.getFirstKey(), fields.get(fields.getFirstKey())));
            default -> Stream.empty();
        };
    }

    private static Stream<BsonDocument> documents(BsonArray array) {
        return array.stream().map(BsonValue::asDocument);
    }

    private static boolean names(BsonDocument filter, String key) {
        BsonValue value = filter.get(key);
        boolean isOneOf =
                value != null && (!value.isDocument() || value.asDocument().containsKey("$in"));
        return isOneOf
                || documents(filter.getArray("$and", new BsonArray())).anyMatch(part -> names(part, key))
                || filter.containsKey("$or")
                        && documents(filter.getArray("$or")).allMatch(part -> names(part, key));
    }

    /** Fails if a command since the last check did not name its shard key. */
    public void check() {
        try {
            assertThat(withoutKey).as("commands that all shards would get").isEmpty();
        } finally {
            withoutKey.clear();
        }
    }

    /** Whether a command on one of the collections was heard. */
    public boolean hasHeard() {
        return heard;
    }
}
