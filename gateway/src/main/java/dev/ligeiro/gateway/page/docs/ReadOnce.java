package dev.ligeiro.gateway.page.docs;

import java.util.concurrent.Callable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Content that the first request reads, since most gateways are never asked for it. After a failure the next request reads again. */
final class ReadOnce {

    private ReadOnce() {}

    static <T> Mono<T> of(Callable<T> read) {
        // unlike cache(), it keeps no failure
        return Mono.fromCallable(read).subscribeOn(Schedulers.boundedElastic()).cacheInvalidateIf(kept -> false);
    }
}
