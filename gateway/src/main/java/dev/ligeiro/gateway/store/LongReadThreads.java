package dev.ligeiro.gateway.store;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.stereotype.Component;

/**
 * The threads that decode the documents of long reads and write the JSON of lists, some milliseconds a page: one for each four cores.
 * Creates never wait for that work on their event loops, and however many lists are asked for, the other cores are free of it. A thread's
 * queue is short, since only a few long reads run at once.
 */
@Component
final class LongReadThreads implements AutoCloseable {

    private static final int CORES_EACH = 4;

    private final ExecutorService executor = Executors.newFixedThreadPool(
            Math.max(1, Runtime.getRuntime().availableProcessors() / CORES_EACH), LongReadThreads::thread);

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "gateway-long-reads");
        thread.setDaemon(true);
        return thread;
    }

    ExecutorService executor() {
        return executor;
    }

    /** The MongoDB client stops in an earlier phase of Spring's shutdown. */
    @Override
    public void close() {
        executor.shutdown();
    }
}
