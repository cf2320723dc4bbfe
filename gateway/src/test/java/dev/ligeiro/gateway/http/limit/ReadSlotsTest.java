package dev.ligeiro.gateway.http.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Two reads of a tenant and three in all run at once; others wait for a second. */
class ReadSlotsTest {

    private static final Tenant A = Tenant.of(1, Mode.TEST);
    private static final Tenant B = Tenant.of(2, Mode.TEST);
    private static final Tenant C = Tenant.of(3, Mode.TEST);

    private static final int WAITING_MAX = 10;

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final ReadSlots slots = new ReadSlots("lists", 2, 3, WAITING_MAX, Duration.ofSeconds(1), time);

    @Test
    void readsOfATenantWaitForItsOwn() {
        Query first = new Query(A);
        Query second = new Query(A);
        Query third = new Query(A);
        assertThat(List.of(first.started(), second.started(), third.started())).containsExactly(true, true, false);

        second.answer();

        assertThat(third.started()).isTrue();
        third.answer();
        first.answer();
        assertThat(List.of(first.outcome(), second.outcome(), third.outcome())).containsOnly("answer");
    }

    @Test
    void aResultWaitsUntilItIsRequested() {
        List<String> seen = new ArrayList<>();
        BaseSubscriber<String> reader = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                // requests later
            }

            @Override
            protected void hookOnNext(String result) {
                seen.add(result);
            }
        };

        slots.run(A, Mono.just("answer")).subscribe(reader);
        reader.request(1);

        assertThat(seen).containsExactly("answer");
    }

    @Test
    void anotherTenantDoesNotWaitForATenantAtItsLimit() {
        start(A, 12);

        assertThat(new Query(B).started()).isTrue();
    }

    @Test
    void theTurnOfATenantAtItsLimitPassesToTheNextOne() {
        Query a = new Query(A);
        new Query(A);
        Query b = new Query(B);
        Query waitingA = new Query(A);
        Query waitingC = new Query(C);

        b.answer();
        assertThat(List.of(waitingA.started(), waitingC.started())).containsExactly(false, true);

        a.answer();
        assertThat(waitingA.started()).isTrue();
    }

    @Test
    void aReadWithoutATurnIsRefusedAfterTheWait() {
        start(A, 2);
        Query ofTenant = new Query(A);
        start(B, 1);
        Query ofAll = new Query(C);
        time.advanceTimeBy(Duration.ofMillis(999));
        assertThat(List.of(ofTenant.outcome(), ofAll.outcome())).containsOnly("");

        time.advanceTimeBy(Duration.ofMillis(1));

        assertThat(ofTenant.outcome()).isEqualTo("429 2");
        assertThat(ofAll.outcome()).isEqualTo("503 2");
        assertThat(List.of(ofTenant.started(), ofAll.started())).containsOnly(false);
    }

    @Test
    void aTenantHasABoundedNumberOfWaitingReads() {
        start(A, 2 + WAITING_MAX);

        assertThat(new Query(A).outcome()).isEqualTo("429 2");
        start(B, 1);
        assertThat(new Query(C).outcome()).isEmpty();
    }

    @Test
    void aReadWhoseClientDisconnectsKeepsItsSlotUntilItsAnswer() {
        Query left = new Query(A);
        new Query(A);
        left.client.dispose();
        Query next = new Query(A);
        assertThat(next.started()).isFalse();

        left.answer();

        assertThat(next.started()).isTrue();
    }

    @Test
    void aWaitingReadWhoseClientDisconnectsNeverRuns() {
        Query running = new Query(A);
        new Query(A);
        Query left = new Query(A);
        Query next = new Query(A);
        left.client.dispose();

        running.answer();

        assertThat(List.of(left.started(), next.started())).containsExactly(false, true);
    }

    @Test
    void aFailedReadFreesItsSlot() {
        Query failing = new Query(A);
        new Query(A);
        Query next = new Query(A);

        failing.fail();

        assertThat(failing.outcome()).isEqualTo("IllegalStateException");
        assertThat(next.started()).isTrue();
    }

    /** On a stack as small as in {@code infra/run}. */
    @Test
    void manyReadsThatFailAtOnceDoNotOverflowTheStack() throws InterruptedException {
        ReadSlots manyWait = new ReadSlots("pages", 1, 1, 50, Duration.ofSeconds(1), time);
        Sinks.One<String> running = Sinks.one();
        manyWait.run(A, running.asMono()).subscribe();
        List<Throwable> failures = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Tenant tenant = Tenant.of(2 + i % 20, Mode.TEST);
            manyWait.run(tenant, Mono.error(new IllegalStateException("a test")))
                    .subscribe(result -> {}, failures::add);
        }

        Thread thread = new Thread(null, () -> running.tryEmitValue("answer"), "small stack", 512 * 1024);
        thread.start();
        thread.join();

        assertThat(failures).hasSize(1_000).hasOnlyElementsOfType(IllegalStateException.class);
    }

    @Test
    void aFailureAfterTheClientHasLeftIsNotLogged() {
        List<Throwable> dropped = new ArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        try {
            Query query = new Query(A);
            query.client.dispose();
            query.fail();
        } finally {
            Hooks.resetOnErrorDropped();
        }

        assertThat(dropped).isEmpty();
    }

    private void start(Tenant tenant, int count) {
        for (int i = 0; i < count; i++) {
            new Query(tenant);
        }
    }

    /** A query that answers when the test says so. */
    private final class Query {

        private final List<String> seen = new ArrayList<>();
        private final Sinks.One<String> answer = Sinks.one();
        private final List<String> starts = new ArrayList<>();
        private final Disposable client;

        private Query(Tenant tenant) {
            Mono<String> query = Mono.defer(() -> {
                starts.add("started");
                return answer.asMono();
            });
            client = slots.run(tenant, query).subscribe(seen::add, failure -> seen.add(text(failure)));
        }

        private boolean started() {
            return !starts.isEmpty();
        }

        /** {@code ""} while there is none. */
        private String outcome() {
            return String.join(",", seen);
        }

        private void answer() {
            answer.tryEmitValue("answer");
        }

        private void fail() {
            answer.tryEmitError(new IllegalStateException("a test"));
        }

        private static String text(Throwable failure) {
            return failure instanceof Problem problem
                    ? problem.code().status().value() + " " + problem.headers().get("Retry-After")
                    : failure.getClass().getSimpleName();
        }
    }
}
