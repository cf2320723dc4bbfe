package dev.ligeiro.dispatcher.intake;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The batches of one consumer that are not committed yet: at most two, so that memory is bounded. A batch is committed when it and all
 * earlier ones have ended. All methods are called by the consumer's thread.
 */
final class RunningBatches {

    private final Sinks.Empty<Void> canceled = Sinks.empty();
    private CompletableFuture<Void> previous = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> latest = previous;

    /** Waits until at most one batch runs; false if that takes longer than {@code max}, or after {@link #cancel}. */
    boolean awaitRoom(Duration max) {
        return await(previous, max);
    }

    /**
     * Begins {@code batch}; call {@link #awaitRoom} before.
     *
     * @param commit runs on any thread, in the order of the batches
     */
    void begin(Mono<Void> batch, Runnable commit) {
        previous = latest;
        latest = Mono.firstWithSignal(batch, canceled.asMono())
                .toFuture()
                .thenCombine(previous, (ended, before) -> ended)
                .thenRun(commit);
    }

    /** Waits until all batches are committed; false if that takes longer than {@code max}, or if they were canceled. */
    boolean awaitAll(Duration max) {
        return await(latest, max);
    }

    /** Ends the running batches without committing them. No further batch may begin. */
    void cancel() {
        canceled.tryEmitError(new CancellationException("the consumer has stopped"));
    }

    private static boolean await(CompletableFuture<Void> batch, Duration max) {
        try {
            batch.get(max.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException running) {
            return false;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof CancellationException) {
                return false;
            }
            throw new IllegalStateException("a batch has ended without being stored", failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stopped);
        }
    }
}
