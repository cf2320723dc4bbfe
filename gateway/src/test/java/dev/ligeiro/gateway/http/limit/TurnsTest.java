package dev.ligeiro.gateway.http.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.http.limit.Turns.Admission;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Two reads of a tenant run and three in all; two of a tenant wait. */
class TurnsTest {

    private static final int PER_TENANT_MAX = 2;
    private static final int MAX = 3;
    private static final int TENANTS = 3;

    private final Turns<Read> turns = new Turns<>(PER_TENANT_MAX, MAX, 2);
    private final List<Read> running = new ArrayList<>();
    private final List<Read> waiting = new ArrayList<>();

    /** A read that arrives while the last running one ends must start then, or be found by it: it once waited until its time was over. */
    @Test
    void aReadThatArrivesBeforeOrAfterTheLastOneEndsHasItsTurn() {
        Turns<Read> one = new Turns<>(1, 1, 2);
        Read last = new Read(0);
        Read before = new Read(0);
        Read after = new Read(0);
        assertThat(one.arrive(last)).isEqualTo(Admission.RUNS);

        assertThat(one.arrive(before)).isEqualTo(Admission.WAITS);
        assertThat(one.end(last.tenant())).isSameAs(before);
        assertThat(one.end(before.tenant())).isNull();
        assertThat(one.arrive(after)).isEqualTo(Admission.RUNS);
    }

    /** @param steps below 3 a read of that tenant arrives, below 6 one of the running reads ends, below 8 a waiting one leaves */
    @Property
    void noReadWaitsThatCouldRunAndEachHasItsTurn(
            @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 7) Integer> steps) {
        for (int step : steps) {
            if (step < TENANTS) {
                arrive(new Read(step));
            } else if (step < 6) {
                end(step);
            } else {
                leave(step);
            }
            assertThat(running).hasSizeLessThanOrEqualTo(MAX);
            assertThat(running).allSatisfy(read -> assertThat(ofTenant(read)).isLessThanOrEqualTo(PER_TENANT_MAX));
            assertThat(waiting).noneMatch(this::couldRun);
        }
        while (!running.isEmpty()) {
            end(0);
        }
        assertThat(waiting).isEmpty();
    }

    private void arrive(Read read) {
        switch (turns.arrive(read)) {
            case RUNS -> running.add(read);
            case WAITS -> waiting.add(read);
            case REFUSED -> assertThat(couldRun(read)).isFalse();
        }
    }

    private void end(int which) {
        if (!running.isEmpty()) {
            Read next = turns.end(running.remove(which % running.size()).tenant());
            if (next != null) {
                assertThat(waiting.stream().filter(this::couldRun).findFirst()).contains(next);
                waiting.remove(next);
                running.add(next);
            }
        }
    }

    private void leave(int which) {
        if (!waiting.isEmpty()) {
            Read left = waiting.remove(which % waiting.size());
            assertThat(turns.stopWaiting(left)).isTrue();
            assertThat(turns.stopWaiting(left)).isFalse();
        }
    }

    private boolean couldRun(Read read) {
        return running.size() < MAX && ofTenant(read) < PER_TENANT_MAX;
    }

    private long ofTenant(Read read) {
        return running.stream()
                .filter(other -> other.tenant().equals(read.tenant()))
                .count();
    }

    /** Equal to itself only. */
    private static final class Read implements Turns.OfTenant {

        private final Tenant tenant;

        private Read(int number) {
            this.tenant = Tenant.of(number + 1, Mode.TEST);
        }

        @Override
        public Tenant tenant() {
            return tenant;
        }
    }
}
