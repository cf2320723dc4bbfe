package dev.ligeiro.processor.intake;

import com.mongodb.reactivestreams.client.MongoDatabase;
import org.bson.Document;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Asks whether MongoDB has a primary that this processor reaches. */
@Component
class PingStore {

    private final MongoDatabase database;

    PingStore(MongoDatabase database) {
        this.database = database;
    }

    /** Fails without an answer within {@code ligeiro.mongodb.operation-timeout}. */
    Mono<Void> ping() {
        return Mono.from(database.runCommand(new Document("ping", 1))).then();
    }
}
