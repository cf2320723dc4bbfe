package dev.ligeiro.support.mongo;

import com.mongodb.client.model.IndexModel;
import com.mongodb.reactivestreams.client.MongoCollection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Creates the indexes of a collection; those that exist cost nothing. A build has no time limit: with one, MongoDB would end the build of an
 * index over many documents, and each further try would begin it again. The log says every 30 s that it still runs.
 */
public final class IndexBuild {

    private static final Logger LOG = LoggerFactory.getLogger(IndexBuild.class);
    private static final Duration LOGGED_EVERY = Duration.ofSeconds(30);
    private static final long NO_LIMIT = 0;

    private IndexBuild() {}

    public static Mono<Void> run(MongoCollection<?> collection, List<IndexModel> indexes) {
        return run(collection, indexes, LOGGED_EVERY);
    }

    static Mono<Void> run(MongoCollection<?> collection, List<IndexModel> indexes, Duration loggedEvery) {
        Mono<Void> built = Flux.from(
                        collection.withTimeout(NO_LIMIT, TimeUnit.SECONDS).createIndexes(indexes))
                .then();
        Mono<Void> logged = Flux.interval(loggedEvery)
                .doOnNext(tick -> log(collection, loggedEvery.multipliedBy(tick + 1)))
                .then();
        return Mono.firstWithSignal(built, logged);
    }

    private static void log(MongoCollection<?> collection, Duration since) {
        LOG.atInfo()
                .addKeyValue("event.action", "index_build")
                .addKeyValue("collection", collection.getNamespace().getCollectionName())
                .addKeyValue("seconds", since.toSeconds())
                .log("MongoDB still builds an index; the service waits for it");
    }
}
