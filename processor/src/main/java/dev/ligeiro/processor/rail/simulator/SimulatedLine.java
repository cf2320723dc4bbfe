package dev.ligeiro.processor.rail.simulator;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailNoticePublisher;
import dev.ligeiro.support.RailProperties;
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
    private final FaultSwitch faultSwitch;
    private final RailNoticePublisher notices;
    private final Clock clock;

    SimulatedLine(SimulatorProperties properties, FaultSwitch faultSwitch, RailNoticePublisher notices, Clock clock) {
        this.properties = properties;
        this.faultSwitch = faultSwitch;
        this.notices = notices;
        this.clock = clock;
    }

    /** Passes on a call about the charge of a cashin. Without a fault it is answered at once. */
    CompletableFuture<RailOutcome> charge(RailCallKind call, Supplier<RailOutcome> rail) {
        SimulatorFaults faults = faultSwitch.faults();
        if (!faults.charges()) {
            return CompletableFuture.completedFuture(rail.get());
        }
        Mono<RailOutcome> work = Mono.fromSupplier(rail);
        return call == RailCallKind.SUBMIT ? submit(faults, faults.slow(), work) : inquire(faults, work);
    }

    /** Passes on the submission of a cashout or refund. */
    CompletableFuture<RailOutcome> submit(Transaction transaction, Supplier<Mono<LedgerEntry>> rail) {
        SimulatorFaults faults = faultSwitch.faults();
        Mono<RailOutcome> work = Mono.defer(rail)
                .flatMap(entry -> answer(transaction, entry, faults.notices()))
                .onErrorReturn(QueueFullException.class, new RailOutcome.NotStarted());
        return submit(faults, properties.submissionDelay().plus(faults.slow()), work);
    }

    /** Passes on an inquiry about a cashout or refund. */
    CompletableFuture<RailOutcome> inquire(Supplier<Mono<RailOutcome>> rail) {
        return inquire(faultSwitch.faults(), Mono.defer(rail));
    }

    private CompletableFuture<RailOutcome> inquire(SimulatorFaults faults, Mono<RailOutcome> work) {
        return faults.isDown(clock.instant())
                ? down()
                : after(faults.slow(), work).toFuture();
    }

    private CompletableFuture<RailOutcome> submit(SimulatorFaults faults, Duration delay, Mono<RailOutcome> work) {
        if (faults.isDown(clock.instant())) {
            return down();
        }
        return switch (faults.answers()) {
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
                    LOG.atWarn()
                            .addKeyValue("event.action", "simulator_notice_lost")
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
