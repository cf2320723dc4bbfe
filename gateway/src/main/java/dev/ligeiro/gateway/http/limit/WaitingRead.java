package dev.ligeiro.gateway.http.limit;

import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** A query that is started when it is its turn, and the reader that waits for its result, who may leave before or meanwhile. */
final class WaitingRead<T> {

    private final Mono<T> query;
    private final MonoSink<T> result;
    private volatile boolean left;

    WaitingRead(Mono<T> query, MonoSink<T> result) {
        this.query = query;
        this.result = result;
    }

    /** @param ended runs when MongoDB has answered, also if the reader has left: MongoDB goes on with the query */
    void start(Runnable ended) {
        query.doFinally(signal -> ended.run())
                .singleOptional()
                .subscribe(found -> result.success(found.orElse(null)), this::fail);
    }

    /** Drops the failure when the reader has left; Reactor would log it as an error. */
    void fail(Throwable failure) {
        if (!left) {
            result.error(failure);
        }
    }

    /** The reader has disconnected or its time is over. */
    void leave() {
        left = true;
    }

    boolean hasLeft() {
        return left;
    }
}
