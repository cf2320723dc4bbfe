package dev.ligeiro.infra.launcher.endtoend;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.launcher.endtoend.ChangeReceiver.Change;
import java.time.Duration;
import java.time.Instant;

/** The time from a fault until a system under load is whole again. */
record Recovery(ConstantLoad<?> load, ChangeReceiver receiver) {

    /** Waits until a transaction that is created from now on is announced. */
    void awaitAnnounced(Duration within) {
        Instant now = Instant.now();
        await("announced").atMost(within).until(() -> load.created().entrySet().stream()
                .anyMatch(each -> each.getValue().at().isAfter(now)
                        && receiver.announced().containsKey(new Change(each.getKey(), 1))));
    }

    static void print(String fault, Instant from) {
        double seconds = Duration.between(from, Instant.now()).toMillis() / 1e3;
        System.out.printf("%s %s, recovered after %.1f s%n", from, fault, seconds);
    }
}
