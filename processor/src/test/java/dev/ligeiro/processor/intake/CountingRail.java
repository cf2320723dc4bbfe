package dev.ligeiro.processor.intake;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A rail for live transactions that counts its calls and gives the answer that the test has set. */
final class CountingRail implements PaymentRail {

    static final String NAME = "counting";
    /** The setting that sends all live transactions to this rail. */
    static final String ROUTE = "ligeiro.rails.routes[0].rail=" + NAME;

    final AtomicInteger submissions = new AtomicInteger();
    final AtomicInteger inquiries = new AtomicInteger();
    /** The answer to the next calls; at first an unknown outcome at once. */
    volatile CompletableFuture<RailOutcome> answer = CompletableFuture.completedFuture(new RailOutcome.Unknown());

    @Override
    public RailFacts facts() {
        return facts(Duration.ofSeconds(60));
    }

    static RailFacts facts(Duration callTimeout) {
        return new RailFacts(
                NAME,
                Duration.ofSeconds(30),
                Duration.ofMillis(100),
                RailFacts.Inquiry.BY_ID,
                false,
                10,
                callTimeout,
                transaction -> false);
    }

    @Override
    public String account(Transaction transaction) {
        return Long.toString(transaction.tenant().key());
    }

    @Override
    public CompletableFuture<RailOutcome> submit(Transaction transaction) {
        submissions.incrementAndGet();
        return answer;
    }

    @Override
    public CompletableFuture<RailOutcome> inquire(Transaction transaction) {
        inquiries.incrementAndGet();
        return answer;
    }

    @Override
    public CompletableFuture<RailOutcome> refund(Transaction transaction, Refund refund) {
        return submit(transaction);
    }

    @Override
    public CompletableFuture<RailOutcome> inquireRefund(Transaction transaction, Refund refund) {
        return inquire(transaction);
    }
}
