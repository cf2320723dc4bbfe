package dev.ligeiro.infra.bank;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Runs what happens by itself after a while. */
final class Settlements implements AutoCloseable {

    private static final int END_SECONDS_MAX = 2;

    private final Duration settlesAfter;
    private final ScheduledThreadPoolExecutor timer;

    Settlements(Duration settlesAfter) {
        this.settlesAfter = settlesAfter;
        timer = new ScheduledThreadPoolExecutor(2, threads("bank-timer"));
    }

    /** Threads that do not keep the JVM alive. */
    static ThreadFactory threads(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    void later(Runnable work) {
        after(settlesAfter, work);
    }

    void after(Duration delay, Runnable work) {
        try {
            timer.schedule(() -> reported(work), delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // the bank ends; what is open goes on at the next start
        }
    }

    void each(Duration interval, Runnable work) {
        timer.scheduleWithFixedDelay(
                () -> reported(work), interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void reported(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            e.printStackTrace();
        }
    }

    @Override
    public void close() {
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        end(timer);
    }

    /** Lets what runs come to its end. It is not interrupted, because that would close the journal's file. */
    static void end(ExecutorService threads) {
        threads.shutdown();
        try {
            threads.awaitTermination(END_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
