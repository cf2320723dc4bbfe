package dev.ligeiro.gateway.api.change;

import com.mongodb.MongoTimeoutException;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.api.change.ChangeRequest.Outcome;
import dev.ligeiro.support.work.BatchedLookup;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class AwaitOutcomeTest {

    private static final UUID MINE = UUID.fromString("019cd895-b253-7abc-9def-00000000000a");

    private final Transaction paid = Transactions.goldenCashin()
            .with(Entry.StatusChanged.to(Status.PAID, Transactions.CREATED_AT.plusSeconds(60), Source.RAIL));
    private final Outcome unread = Outcome.queuedWithoutRefunds(paid);
    private final ChangeRequest request = new ChangeRequest(
            Transactions.ID, new ChangeRef(MINE, null), new ChangeAction.Refund(new Amount(50), null, null));

    /** With the fault the answer was 503 "this one had no effect", and the merchant who repeated the request refunded twice. */
    @ParameterizedTest
    @MethodSource("failures")
    void aChangeThatKafkaHasIsQueuedWhenItsOutcomeCannotBeRead(Throwable failure) {
        StepVerifier.withVirtualTime(() ->
                        RequestChange.await(request, unread, reads(Mono.empty(), Mono.error(failure)), Mono.just(paid)))
                .thenAwait(Duration.ofMillis(100))
                .expectNext(unread)
                .verifyComplete();
    }

    static Stream<Throwable> failures() {
        return Stream.of(queueFull(), new MongoTimeoutException("no primary"), new TimeoutException("2.6 s"));
    }

    /** The third look-up has no place: the first one is with the store, the second one waits. */
    private static Throwable queueFull() {
        BatchedLookup<Integer, Integer> full =
                new BatchedLookup<>(1, 1, 1, Duration.ZERO, keys -> Mono.never(), failure -> true);
        full.find(1).subscribe();
        full.find(2).subscribe();
        return full.find(3)
                .<Throwable>map(found -> new AssertionError("found"))
                .onErrorResume(Mono::just)
                .blockOptional()
                .orElseThrow();
    }

    /** The results of two reads. */
    private static Mono<Transaction> reads(Mono<Transaction> first, Mono<Transaction> second) {
        Iterator<Mono<Transaction>> next = List.of(first, second).iterator();
        return Mono.defer(next::next);
    }
}
