package dev.ligeiro.desk.attention;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What another system says, asked at most every 15 s and beside the page: a system that does not answer delays it by a second at most. */
final class Recent<T> {

    private static final Duration VALID_FOR = Duration.ofSeconds(15);
    private static final long WAIT_MILLIS_MAX = 1_000;

    private final Supplier<T> ask;
    private @Nullable CompletableFuture<T> asked;
    private long askedAtNanos;

    Recent(Supplier<T> ask) {
        this.ask = ask;
    }

    /** Null while the system does not answer. */
    @Nullable
    T get() {
        try {
            return present().get(WAIT_MILLIS_MAX, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException | TimeoutException away) {
            return null;
        }
    }

    private synchronized CompletableFuture<T> present() {
        CompletableFuture<T> present = asked;
        boolean isOld = System.nanoTime() - askedAtNanos > VALID_FOR.toNanos();
        if (present == null || isOld && present.isDone()) {
            CompletableFuture<T> next = new CompletableFuture<>();
            Thread thread = new Thread(() -> answer(next), "attention");
            thread.setDaemon(true);
            thread.start();
            asked = present = next;
            askedAtNanos = System.nanoTime();
        }
        return present;
    }

    private void answer(CompletableFuture<T> answer) {
        try {
            answer.complete(ask.get());
        } catch (RuntimeException away) {
            answer.completeExceptionally(away);
        }
    }
}
