package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.transaction.Tenant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CallQueueTest {

    private static final Tenant BUSY = new Tenant(2);
    private static final Tenant OTHER = new Tenant(4);
    private static final @Nullable Tenant NONE = null;

    private final CallQueue<String> queue = new CallQueue<>();

    @Test
    void tenantsTakeTurnsThenTheirCallsInTheirOrder() {
        submit(BUSY, "a1", "a2", "a3", "a4");
        submit(OTHER, "b1", "b2");
        assertThat(remove(2)).containsExactly("a1", "b1");
        submit(new Tenant(6), "c1");

        assertThat(queue.size()).isEqualTo(5);
        assertThat(remove(5)).containsExactly("a2", "b2", "c1", "a3", "a4");
        assertThat(queue.first()).isNull();
    }

    @Test
    void callsOfNoTransactionTakeTurnsWithAllSubmissions() {
        submit(BUSY, "a1", "a2");
        submit(OTHER, "b1");
        for (String call : List.of("x1", "x2", "x3", "x4", "x5")) {
            queue.add(RailCallKind.SUBMIT, NONE, call);
        }

        assertThat(remove(8)).containsExactly("a1", "x1", "b1", "x2", "a2", "x3", "x4", "x5");
    }

    @Test
    void inquiriesAreFirstAndTakeNobodysTurn() {
        submit(BUSY, "a1", "a2");
        submit(OTHER, "b1");
        assertThat(remove(1)).containsExactly("a1");
        queue.add(RailCallKind.INQUIRE, BUSY, "asks");
        queue.add(RailCallKind.CANCEL, OTHER, "cancels");

        assertThat(remove(4)).containsExactly("asks", "cancels", "b1", "a2");
    }

    private void submit(Tenant tenant, String... calls) {
        for (String call : calls) {
            queue.add(RailCallKind.SUBMIT, tenant, call);
        }
    }

    private List<String> remove(int count) {
        List<String> removed = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            removed.add(Objects.requireNonNull(queue.first()));
            queue.removeFirst();
        }
        return removed;
    }
}
