package dev.ligeiro.gateway.store;

import com.mongodb.reactivestreams.client.MongoDatabase;
import java.time.Duration;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Ends reads that may take long within 3 seconds when MongoDB is unreachable. A ping during the read shows whether it is. */
@Component
public class FailFast {

    /** A shorter read has no ping. */
    private static final Duration PING_AFTER = Duration.ofMillis(300);

    /** Measured here, because the driver's limit does not bound the wait for a connection behind calls with more time. */
    private static final Duration PING_MAX = Duration.ofMillis(2_200);

    private static final Bson PING = new Document("ping", 1);

    private final MongoDatabase database;

    /** @param database of the client for short operations: a ping does not wait behind long reads */
    FailFast(MongoDatabase database) {
        this.database = database;
    }

    /** The result of {@code read}, or the failure of the ping. */
    public <T> Mono<T> run(Mono<T> read) {
        Mono<T> unreachable = Mono.delay(PING_AFTER)
                .then(Mono.defer(() -> Mono.from(database.runCommand(PING))).timeout(PING_MAX))
                .then(Mono.never());
        return Mono.firstWithSignal(read, unreachable);
    }
}
