package dev.ligeiro.processor.rail.simulator;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailCommandPublisher;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.support.work.QueueFullException;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The connection to the simulated rail: delays, loses and repeats calls and answers, as the faults say. */
@Component
class SimulatedLine {

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedLine.class);

    private final SimulatorProperties properties;
    private final RailCommandPublisher notices;
    private final Clock clock;
    private volatile SimulatorFaults faults = SimulatorFaults.NONE;

    SimulatedLine(SimulatorProperties properties, RailCommandPublisher notices, Clock clock) {
        this.properties = properties;
        this.notices = notices;
        this.clock = clock;
    }

    /** The faults of this process; there are none at start. */
    SimulatorFaults faults() {
        return faults;
    }

    void set(SimulatorFaults next) {
        faults = next;
    }

    /** Passes on a call about the charge of a cashin. Without a fault it is answered at once. */
    CompletableFuture<RailOutcome> charge(RailCallKind call, Supplier<RailOutcome> rail) {
        SimulatorFaults now = faults;
        if (!now.charges()) {
            return CompletableFuture.completedFuture(rail.get());
        }
        Mono<RailOutcome> work = Mono.fromSupplier(rail);
        return call == RailCallKind.SUBMIT ? submit(now, now.slow(), work) : inquire(now, work);
    }

    /** Passes on the submission of a cashout or refund. */
    CompletableFuture<RailOutcome> submit(Transaction transaction, Supplier<Mono<LedgerEntry>> rail) {
        SimulatorFaults now = faults;
        Mono<RailOutcome> work = Mono.defer(rail)
                .flatMap(entry -> answer(transaction, entry, now.notices()))
                .onErrorReturn(QueueFullException.class, new RailOutcome.NotStarted());
        return submit(now, properties.submissionDelay().plus(now.slow()), work);
    }

    /** Passes on an inquiry about a cashout or refund. */
    CompletableFuture<RailOutcome> inquire(Supplier<Mono<RailOutcome>> rail) {
        return inquire(faults, Mono.defer(rail));
    }

    private CompletableFuture<RailOutcome> inquire(SimulatorFaults now, Mono<RailOutcome> work) {
        return now.isDown(clock.instant()) ? down() : after(now.slow(), work).toFuture();
    }

    private CompletableFuture<RailOutcome> submit(SimulatorFaults now, Duration delay, Mono<RailOutcome> work) {
        if (now.isDown(clock.instant())) {
            return down();
        }
        return switch (now.answers()) {
            case GIVEN -> after(delay, work).toFuture();
            case LOST_NOT_DONE -> new CompletableFuture<>();
            case LOST_DONE -> after(delay, work).toFuture().thenCompose(outcome -> new CompletableFuture<>());
        };
    }

    private Mono<RailOutcome> answer(Transaction transaction, LedgerEntry entry, SimulatorFaults.Notices how) {
        RailOutcome outcome = entry.submissions() == 1 ? entry.firstAnswer() : entry.outcome();
        if (how == SimulatorFaults.Notices.NONE || !entry.movedMoney()) {
            return Mono.just(outcome);
        }
        Mono<RailOutcome> early = notice(transaction).thenReturn(outcome);
        return how == SimulatorFaults.Notices.EARLY
                ? early
                : early.doFinally(end -> notice(transaction).subscribe());
    }

    private Mono<Void> notice(Transaction transaction) {
        return notices.publish(new TransactionCommand.RailNotice(
                        transaction.id(),
                        RailProperties.SIMULATOR,
                        transaction.endToEndId(),
                        transaction.terms().amount()))
                .onErrorResume(fault -> {
                    LoggedMerchant.add(
                                    LOG.atWarn().addKeyValue("event.action", "simulator_notice_lost"),
                                    transaction.tenant())
                            .addKeyValue("transaction_id", transaction.id())
                            .addKeyValue("cause", fault.getClass().getSimpleName())
                            .log("Kafka did not take a notification of the simulated rail");
                    return Mono.empty();
                });
    }

    private static <T> Mono<T> after(Duration delay, Mono<T> work) {
        return delay.isZero() ? work : Mono.delay(delay).then(work);
    }

    private static CompletableFuture<RailOutcome> down() {
        return CompletableFuture.failedFuture(new RailDownException());
    }

    /** The simulated rail cannot be reached. */
    private static final class RailDownException extends RuntimeException {

        private RailDownException() {
            super("simulated rail: down", null, false, false);
        }
    }
}
