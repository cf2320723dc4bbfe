package dev.ligeiro.support.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StartLoopTest {

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final List<String> log = new ArrayList<>();
    private final StartLoop loop = new StartLoop(() -> {
        Runnable next;
        synchronized (waiting) {
            next = waiting.poll();
        }
        if (next == null) {
            return false;
        }
        next.run();
        return true;
    });

    @Test
    void workThatEndsInsideItsOwnStartIsFollowedByTheNextAndDoesNotStartIt() {
        for (String name : List.of("a", "b")) {
            waiting.add(() -> {
                log.add(name + " starts");
                loop.run();
                log.add(name + " has started");
            });
        }

        loop.run();

        assertThat(log).containsExactly("a starts", "a has started", "b starts", "b has started");
    }

    @Test
    void workThatBeginsToWaitWhileAnotherThreadStartsWorkIsStartedByThatThread() throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch added = new CountDownLatch(1);
        waiting.add(() -> {
            starting.countDown();
            awaitOrFail(added);
        });
        CompletableFuture<Thread> startedBy = new CompletableFuture<>();
        Thread starter = new Thread(loop::run);
        starter.start();
        awaitOrFail(starting);

        synchronized (waiting) {
            waiting.add(() -> startedBy.complete(Thread.currentThread()));
        }
        loop.run();
        assertThat(startedBy).isNotDone();
        added.countDown();

        assertThat(startedBy.get(10, TimeUnit.SECONDS)).isSameAs(starter);
        starter.join();
    }

    private static void awaitOrFail(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
