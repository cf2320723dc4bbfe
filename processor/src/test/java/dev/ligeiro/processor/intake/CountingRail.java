package dev.ligeiro.processor.intake;

import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Transaction;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** A rail for live transactions that counts its calls and gives the outcome that the test has set. */
final class CountingRail implements PaymentRail {

    final AtomicInteger submissions = new AtomicInteger();
    final AtomicInteger inquiries = new AtomicInteger();
    /** The outcome of the next calls; empty for an unknown outcome. */
    volatile Mono<RailOutcome> outcome = Mono.empty();

    @Override
    public Mode mode() {
        return Mode.LIVE;
    }

    @Override
    public Mono<RailOutcome> submit(Transaction transaction) {
        submissions.incrementAndGet();
        return outcome;
    }

    @Override
    public Mono<RailOutcome> inquire(Transaction transaction) {
        inquiries.incrementAndGet();
        return outcome;
    }
}
