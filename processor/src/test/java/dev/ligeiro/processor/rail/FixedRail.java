package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** A rail with one account that takes two calls at once, records its calls and answers as the test says. */
public final class FixedRail implements PaymentRail {

    static final Duration LATE_ARRIVAL = Duration.ofSeconds(30);

    /** In their order, such as {@code submit}. */
    public final List<String> calls = new CopyOnWriteArrayList<>();

    private final RailFacts facts;
    private final Supplier<CompletableFuture<RailOutcome>> answer;

    FixedRail(String name, Supplier<CompletableFuture<RailOutcome>> answer) {
        this(name, Duration.ofSeconds(10), answer);
    }

    public FixedRail(String name, Duration callTimeout, Supplier<CompletableFuture<RailOutcome>> answer) {
        this.facts = new RailFacts(
                name,
                LATE_ARRIVAL,
                Duration.ofSeconds(1),
                RailFacts.Inquiry.BY_ID,
                false,
                2,
                callTimeout,
                transaction -> false);
        this.answer = answer;
    }

    public static FixedRail answering(String name, RailOutcome outcome) {
        return new FixedRail(name, () -> CompletableFuture.completedFuture(outcome));
    }

    static FixedRail failing(String name) {
        return new FixedRail(
                name, () -> CompletableFuture.failedFuture(new IllegalStateException("connection refused")));
    }

    /** Its calls have no answer until the test completes the future that it adds to {@code open}. */
    static FixedRail open(String name, Queue<CompletableFuture<RailOutcome>> open) {
        return new FixedRail(name, () -> {
            CompletableFuture<RailOutcome> answer = new CompletableFuture<>();
            open.add(answer);
            return answer;
        });
    }

    @Override
    public RailFacts facts() {
        return facts;
    }

    @Override
    public String account(Transaction transaction) {
        return "account-1";
    }

    @Override
    public CompletableFuture<RailOutcome> submit(Transaction transaction) {
        return called("submit");
    }

    @Override
    public CompletableFuture<RailOutcome> inquire(Transaction transaction) {
        return called("inquire");
    }

    @Override
    public CompletableFuture<RailOutcome> refund(Transaction transaction, Refund refund) {
        return called("refund " + refund.id());
    }

    @Override
    public CompletableFuture<RailOutcome> inquireRefund(Transaction transaction, Refund refund) {
        return called("inquireRefund " + refund.id());
    }

    private CompletableFuture<RailOutcome> called(String call) {
        calls.add(call);
        return answer.get();
    }
}
