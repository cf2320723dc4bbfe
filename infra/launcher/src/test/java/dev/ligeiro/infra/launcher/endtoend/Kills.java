package dev.ligeiro.infra.launcher.endtoend;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.launcher.endtoend.ConstantLoad.Recovery;
import dev.ligeiro.testing.brokers.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Kills the services of a running system one after the other, in an order by the seed. */
final class Kills {

    private static final Duration WHOLE_WITHIN = Duration.ofMinutes(3);

    private final Deque<Fault> deck = new ArrayDeque<>();
    private final SharedSystem ligeiro;
    private final Random random;
    private final Duration every;

    Kills(SharedSystem ligeiro, long seed, Duration every) {
        this.ligeiro = ligeiro;
        this.random = new Random(seed);
        this.every = every;
    }

    void goOnUntil(Instant end, Recovery recovery) {
        while (Instant.now().isBefore(end)) {
            Instant next = Instant.now().plus(every);
            kill(recovery);
            await().atMost(every.multipliedBy(2)).until(() -> Instant.now().isAfter(next));
        }
    }

    /** Returns when a new process runs and a new transaction is announced. */
    private void kill(Recovery recovery) {
        if (deck.isEmpty()) {
            deck.addAll(Fault.kills(random));
        }
        Fault fault = deck.remove();
        long pid = fault.pid(ligeiro.environment().pids(), random);
        Instant from = Instant.now();
        Signal.KILL.send(pid);
        ligeiro.awaitReplaced(List.of(pid), WHOLE_WITHIN);
        recovery.awaitAnnounced(WHOLE_WITHIN);
        Recovery.print(fault.toString(), from);
    }
}
