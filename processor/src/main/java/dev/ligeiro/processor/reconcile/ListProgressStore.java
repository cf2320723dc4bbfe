package dev.ligeiro.processor.reconcile;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import java.time.Instant;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The progress of each rail, one document among the leases. */
@Component
class ListProgressStore {

    private final MongoCollection<ListProgress> leases;

    ListProgressStore(MongoDatabase database) {
        this.leases = database.getCollection(CollectionNames.LEASES, ListProgress.class);
    }

    /** Begins at {@code now} if there is none. */
    Mono<ListProgress> read(String rail, Instant now) {
        return Mono.from(leases.find(eq(id(rail)))).switchIfEmpty(Mono.defer(() -> {
            ListProgress begun = ListProgress.at(now);
            return write(rail, begun).thenReturn(begun);
        }));
    }

    Mono<Void> write(String rail, ListProgress progress) {
        return Mono.from(leases.replaceOne(eq(id(rail)), progress, new ReplaceOptions().upsert(true)))
                .then();
    }

    private static String id(String rail) {
        return "reconcile/" + rail;
    }
}
