package dev.ligeiro.processor.intake;

import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Transaction;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** A rail for live transactions that counts its calls and answers each as the test says. */
final class CountingRail implements PaymentRail {

    final AtomicInteger submissions = new AtomicInteger();
    final AtomicInteger inquiries = new AtomicInteger();
    /** Of the next calls; empty is an unknown outcome. */
    volatile Mono<RailOutcome> answer = Mono.empty();

    @Override
    public Mode mode() {
        return Mode.LIVE;
    }

    @Override
    public Mono<RailOutcome> submit(Transaction transaction) {
        submissions.incrementAndGet();
        return answer;
    }

    @Override
    public Mono<RailOutcome> inquire(Transaction transaction) {
        inquiries.incrementAndGet();
        return answer;
    }
}
