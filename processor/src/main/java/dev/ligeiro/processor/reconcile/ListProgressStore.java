package dev.ligeiro.processor.reconcile;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import java.time.Instant;
import java.util.Date;
import org.bson.Document;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The progress of each rail, one document among the leases. */
@Component
class ListProgressStore {

    private static final String SINCE = "since";
    private static final String FIRST = "first";
    private static final String AGAIN = "again";

    private final MongoCollection<Document> leases;

    ListProgressStore(MongoDatabase database) {
        this.leases = database.getCollection(CollectionNames.LEASES);
    }

    /** Begins at {@code now} if there is none. */
    Mono<ListProgress> read(String rail, Instant now) {
        return Mono.from(leases.find(eq(id(rail))))
                .map(found -> new ListProgress(time(found, SINCE), time(found, FIRST), time(found, AGAIN)))
                .switchIfEmpty(Mono.defer(() -> {
                    ListProgress begun = ListProgress.at(now);
                    return write(rail, begun).thenReturn(begun);
                }));
    }

    Mono<Void> write(String rail, ListProgress progress) {
        Document document = new Document(SINCE, Date.from(progress.since()))
                .append(FIRST, Date.from(progress.first()))
                .append(AGAIN, Date.from(progress.again()));
        return Mono.from(leases.replaceOne(eq(id(rail)), document, new ReplaceOptions().upsert(true)))
                .then();
    }

    private static Instant time(Document document, String field) {
        return document.getDate(field).toInstant();
    }

    private static String id(String rail) {
        return "reconcile/" + rail;
    }
}
