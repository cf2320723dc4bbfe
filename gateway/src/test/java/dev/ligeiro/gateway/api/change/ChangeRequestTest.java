package dev.ligeiro.gateway.api.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoTimeoutException;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.api.change.ChangeRequest.Outcome;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.support.work.BatchedLookup;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class ChangeRequestTest {

    private static final Instant NOW = Transactions.CREATED_AT.plusSeconds(120);
    private static final UUID MINE = UUID.fromString("019cd895-b253-7abc-9def-00000000000a");
    private static final UUID OTHERS = UUID.fromString("019cd895-b253-7abc-9def-00000000000b");

    private final Transaction paid = Transactions.goldenCashin()
            .with(Entry.StatusChanged.to(Status.PAID, Transactions.CREATED_AT.plusSeconds(60), Source.RAIL));

    private static ChangeRequest request(ChangeAction action, @Nullable String key) {
        return new ChangeRequest(Transactions.ID, new ChangeRef(MINE, key), action);
    }

    private static ChangeAction.Refund refund(
            @Nullable Long cents, @Nullable String reference, @Nullable String description) {
        return new ChangeAction.Refund(cents == null ? null : new Amount(cents), reference, description);
    }

    private static Entry requested(UUID id, long cents, @Nullable String reference, @Nullable String key) {
        return new Entry.RefundRequested(
                new RefundId(id), new Amount(cents), Source.MERCHANT, reference, "text", NOW, key);
    }

    private static Entry moved(Status to, Source source, @Nullable String key) {
        return new Entry.StatusChanged(to, NOW, source, null, null, new ChangeRef(OTHERS, key));
    }

    private static ProblemCode refusal(ChangeRequest request, Transaction now) {
        return catchThrowableOfType(Problem.class, () -> request.outcome(now)).code();
    }

    @Test
    void thereIsNoOutcomeWithoutTheRequestsEntry() {
        Transaction now = paid.with(requested(OTHERS, 100, "r1", "k1"));

        assertThat(request(refund(100L, null, "text"), null).outcome(now)).isEmpty();
        assertThat(request(refund(100L, "r2", "text"), "k2").outcome(now)).isEmpty();
    }

    @Test
    void theRequestsEntryIsDoneAndShowsWhatItLeft() {
        Transaction before = paid.with(requested(MINE, 100, "r1", null));
        Transaction now = before.with(new Entry.RefundMade(new RefundId(MINE), false, NOW));

        Outcome outcome = request(refund(100L, "r1", "text"), null).outcome(now).orElseThrow();

        assertThat(outcome.kind()).isEqualTo(Outcome.Kind.DONE);
        assertThat(outcome.transaction()).isEqualTo(before.snapshot());
    }

    @ParameterizedTest
    @EnumSource(ChangeRefusal.class)
    void aRefusalOfTheProcessorIsItsProblem(ChangeRefusal refusal) {
        Transaction now = paid.with(new Entry.ChangeRefused(MINE, refusal.code(), NOW));

        assertThat(refusal(request(refund(100L, "r1", null), "k"), now).code()).isEqualTo(refusal.code());
    }

    /** With the fault, 150.75 was the refundable amount of a refund of 100.00 that was refused because it exceeded the amount. */
    @Test
    void aRefusalShowsTheStateThatRefused() {
        Transaction now = paid.with(
                requested(OTHERS, 10000, null, null),
                new Entry.ChangeRefused(MINE, ChangeRefusal.REFUND_EXCEEDS_AMOUNT.code(), NOW),
                new Entry.RefundFailed(new RefundId(OTHERS), "rejected_by_rail", NOW));

        Problem refused = catchThrowableOfType(
                Problem.class, () -> request(refund(10000L, null, "text"), null).outcome(now));

        assertThat(refused.extensions()).containsEntry("refundable_amount", "50.75");
    }

    @Test
    void anotherRequestsRefusalIsNotMine() {
        Transaction now = paid.with(new Entry.ChangeRefused(OTHERS, "invalid_transition", NOW));

        assertThat(request(refund(100L, null, null), null).outcome(now)).isEmpty();
    }

    /** 150.75 are refundable before the refund with the key. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "15000, 15000, r1, text",
                "15075, 15075, r1, text",
                "15075, -,     r1, text",
            })
    void theSameRefundWithTheKeyShowsItsRequest(long earlier, @Nullable Long cents, String reference, String text) {
        Transaction before = paid.with(requested(OTHERS, earlier, "r1", "k"));
        Transaction now = before.with(new Entry.RefundFailed(new RefundId(OTHERS), "rejected_by_rail", NOW));

        Optional<Outcome> outcome = request(refund(cents, reference, text), "k").outcome(now);

        assertThat(outcome.orElseThrow().kind()).isEqualTo(Outcome.Kind.REPLAYED);
        assertThat(outcome.orElseThrow().transaction()).isEqualTo(before.snapshot());
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "15000, -,     r1, text",
                "15000, 15001, r1, text",
                "15000, 15000, r2, text",
                "15000, 15000, -,  text",
                "15000, 15000, r1, txet",
                "15000, 15000, r1, -",
            })
    void anotherRefundWithTheKeyIsRefused(
            long earlier, @Nullable Long cents, @Nullable String reference, @Nullable String text) {
        Transaction now = paid.with(requested(OTHERS, earlier, "r1", "k"));

        assertThat(refusal(request(refund(cents, reference, text), "k"), now))
                .isEqualTo(ProblemCode.IDEMPOTENCY_KEY_REUSED);
    }

    @Test
    void aCancelWithTheKeyOfACancelIsReplayed() {
        Transaction canceled = Transactions.goldenCashin().with(moved(Status.CANCELED, Source.MERCHANT, "k"));

        assertThat(request(new ChangeAction.Cancel(), "k").outcome(canceled))
                .map(Outcome::kind)
                .contains(Outcome.Kind.REPLAYED);
    }

    @ParameterizedTest
    @EnumSource(SandboxAction.class)
    void aSandboxActionWithItsKeyIsReplayed(SandboxAction action) {
        Transaction before = action == SandboxAction.REFUND ? paid : Transactions.goldenCashin();
        RefundId id = new RefundId(OTHERS);
        Transaction now = action == SandboxAction.REFUND
                ? before.with(
                        new Entry.RefundRequested(id, new Amount(15075), Source.SANDBOX, null, null, NOW, "k"),
                        new Entry.RefundMade(id, true, NOW))
                : before.with(moved(action.target(), Source.SANDBOX, "k"));

        Outcome outcome =
                request(new ChangeAction.Sandbox(action), "k").outcome(now).orElseThrow();

        assertThat(outcome.kind()).isEqualTo(Outcome.Kind.REPLAYED);
        assertThat(outcome.transaction().status()).isEqualTo(action.target());
        assertThat(refusal(request(new ChangeAction.Cancel(), "k"), now)).isEqualTo(ProblemCode.IDEMPOTENCY_KEY_REUSED);
        SandboxAction other = action == SandboxAction.PAY ? SandboxAction.DENY : SandboxAction.PAY;
        assertThat(refusal(request(new ChangeAction.Sandbox(other), "k"), now))
                .isEqualTo(ProblemCode.IDEMPOTENCY_KEY_REUSED);
    }

    /** With the fault the answer was 503 "this one had no effect", and the merchant who repeated the request refunded twice. */
    @ParameterizedTest
    @MethodSource("failures")
    void aChangeThatKafkaHasIsQueuedWhenItsOutcomeCannotBeRead(Throwable failure) {
        Outcome unread = Outcome.queuedWithoutRefunds(paid);
        ChangeRequest request = request(refund(50L, null, null), null);
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
