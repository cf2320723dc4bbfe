package dev.ligeiro.gateway.operator.records;

import static com.mongodb.client.model.Filters.in;

import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.gateway.store.WriteErrors;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.Document;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Remembers in MongoDB which dead letters were redriven. The key is topic, partition, offset and time of the dead letter: the time
 * tells the dead letters of a topic that was deleted and created again, whose offsets start at 0, from those of the old topic.
 */
@Component
class RedrivenStore {

    private static final String ID = "_id";

    private final MongoCollection<Document> redriven;

    RedrivenStore(MongoDatabase database) {
        this.redriven = database.getCollection(CollectionSetup.DEAD_LETTERS_REDRIVEN);
    }

    /** The ids of those dead letters that were redriven: one query by {@code _id}. */
    Mono<Set<RecordPlace>> redriven(List<DeadLetterRecord> deadLetters) {
        if (deadLetters.isEmpty()) {
            return Mono.just(Set.of());
        }
        Map<String, RecordPlace> keys =
                deadLetters.stream().collect(Collectors.toMap(RedrivenStore::key, DeadLetterRecord::id));
        return Flux.from(redriven.find(in(ID, keys.keySet())).batchSize(keys.size()))
                .map(found -> keys.get(found.getString(ID)))
                .collect(HashSet::new, Set::add);
    }

    /** Completes when the dead letters are remembered. Those that are remembered already, by a call at the same time, are skipped. */
    Mono<Void> remember(List<DeadLetterRecord> deadLetters, Instant at) {
        if (deadLetters.isEmpty()) {
            return Mono.empty();
        }
        List<Document> rows = deadLetters.stream()
                .map(deadLetter -> new Document(ID, key(deadLetter)).append("redrivenAt", Date.from(at)))
                .toList();
        return Mono.from(redriven.insertMany(rows, new InsertManyOptions().ordered(false)))
                .then()
                .onErrorComplete(WriteErrors::areOnlyDuplicateKeys);
    }

    private static String key(DeadLetterRecord deadLetter) {
        return deadLetter.topic().deadLetters() + "-" + deadLetter.id() + "-"
                + deadLetter.at().toEpochMilli();
    }
}
