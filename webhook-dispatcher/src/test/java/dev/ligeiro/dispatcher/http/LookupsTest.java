package dev.ligeiro.dispatcher.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LookupsTest {

    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final Lookups lookups = new Lookups(threads::add, 2, 3);
    private final List<String> ran = new ArrayList<>();

    @Test
    void aTenantUsesItsShareOfTheThreads() {
        for (int i = 1; i <= 4; i++) {
            lookUp("slow", i);
        }
        lookUp("other", 1);
        assertThat(threads).hasSize(3);

        endOne();
        assertThat(threads).hasSize(3);
        endAll();
        assertThat(ran).containsExactly("slow 1", "slow 2", "other 1", "slow 3", "slow 4");
    }

    @Test
    void aTenantWithTooManyWaitingLookupsIsRefused() {
        for (int i = 1; i <= 5; i++) {
            lookUp("slow", i);
        }
        assertThatThrownBy(() -> lookUp("slow", 6)).isInstanceOf(RejectedExecutionException.class);
        lookUp("other", 1);
        endAll();
        lookUp("slow", 7);
        endAll();
        assertThat(ran).hasSize(7);
    }

    private void lookUp(String tenant, int number) {
        lookups.execute(tenant, () -> ran.add(tenant + " " + number));
    }

    private void endOne() {
        Objects.requireNonNull(threads.poll()).run();
    }

    private void endAll() {
        while (!threads.isEmpty()) {
            endOne();
        }
    }
}
