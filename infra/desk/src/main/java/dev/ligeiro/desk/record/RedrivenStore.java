package dev.ligeiro.desk.record;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.store.CollectionNames;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.Document;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.mongodb.core.BulkOperations.BulkMode;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Component;

/**
 * Remembers in MongoDB which dead letters were redriven. The key is topic, partition, offset and time of the dead letter: the time
 * tells the dead letters of a topic that was deleted and created again, whose offsets start at 0, from those of the old topic.
 */
@Component
class RedrivenStore {

    private final MongoTemplate mongo;

    RedrivenStore(MongoTemplate mongo) {
        this.mongo = mongo;
    }

    /** The ids of those dead letters that were redriven: one query by {@code _id}. */
    Set<RecordPlace> redriven(List<DeadLetter> deadLetters) {
        if (deadLetters.isEmpty()) {
            return Set.of();
        }
        Map<String, RecordPlace> keys =
                deadLetters.stream().collect(Collectors.toMap(RedrivenStore::key, DeadLetter::id));
        return mongo
                .find(query(where("_id").in(keys.keySet())), Document.class, CollectionNames.DEAD_LETTERS_REDRIVEN)
                .stream()
                .map(found -> keys.get(found.getString("_id")))
                .collect(Collectors.toSet());
    }

    /** Those that are remembered already, by a call at the same time, are skipped. */
    void remember(List<DeadLetter> deadLetters, Instant at) {
        List<Document> rows = deadLetters.stream()
                .map(each -> new Document("_id", key(each)).append("redrivenAt", Date.from(at)))
                .toList();
        try {
            if (!rows.isEmpty()) {
                mongo.bulkOps(BulkMode.UNORDERED, CollectionNames.DEAD_LETTERS_REDRIVEN)
                        .insert(rows)
                        .execute();
            }
        } catch (DuplicateKeyException remembered) {
            // by a call at the same time; the others are inserted
        }
    }

    private static String key(DeadLetter deadLetter) {
        return deadLetter.topic().deadLetters() + "-" + deadLetter.id() + "-"
                + deadLetter.at().toEpochMilli();
    }
}
