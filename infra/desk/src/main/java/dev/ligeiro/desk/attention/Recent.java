package dev.ligeiro.desk.attention;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What another system says, asked at most every 15 s and beside the page: a system that does not answer delays it by a second at most. */
final class Recent<T> {

    private static final Duration VALID_FOR = Duration.ofSeconds(15);
    private static final long WAIT_SECONDS_MAX = 1;

    private final AsyncLoadingCache<String, Optional<T>> answer;

    Recent(Supplier<T> ask) {
        this.answer = Caffeine.newBuilder()
                .executor(task -> {
                    Thread thread = new Thread(task, "attention");
                    thread.setDaemon(true);
                    thread.start();
                })
                .expireAfterWrite(VALID_FOR)
                .buildAsync((key, executor) ->
                        CompletableFuture.supplyAsync(ask, executor).handle((told, away) -> Optional.ofNullable(told)));
    }

    /** Null while the system does not answer. */
    @Nullable
    T get() {
        return answer.get("")
                .copy()
                .completeOnTimeout(Optional.empty(), WAIT_SECONDS_MAX, TimeUnit.SECONDS)
                .join()
                .orElse(null);
    }
}
