package dev.ligeiro.processor.resolve;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.apply.RecordPublisher;
import dev.ligeiro.processor.apply.TransactionBatchStore;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.support.kafka.BatchSender;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.mongo.LeasedWork;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Carries out what operators have confirmed: sends the command of a decision until its transaction has its outcome, and books unmatched
 * payments; what rails move back of these is read and booked. Each step can be repeated, so a killed processor's decision goes on at the
 * next one.
 */
@Component
class CarryOutResolutions extends LeasedWork {

    private static final Logger LOG = LoggerFactory.getLogger(CarryOutResolutions.class);

    private static final Duration EVERY = Duration.ofSeconds(3);
    private static final double JITTER = 0.2;
    private static final Duration LEASE = Duration.ofSeconds(30);
    /** They are few: persons make them. */
    private static final int AT_ONCE_MAX = 100;

    private final ConfirmedResolutionStore store;
    private final TransactionBatchStore transactions;
    private final UnmatchedPaymentStore payments;
    private final ResolveUnmatchedPayments unmatched;
    private final BatchSender sender;
    private final Clock clock;

    CarryOutResolutions(
            ConfirmedResolutionStore store,
            LeaseStore leases,
            TransactionBatchStore transactions,
            UnmatchedPaymentStore payments,
            ResolveUnmatchedPayments unmatched,
            BatchSender sender,
            Clock clock) {
        super(leases.of("resolutions-lease"), LEASE, clock);
        this.store = store;
        this.transactions = transactions;
        this.payments = payments;
        this.unmatched = unmatched;
        this.sender = sender;
        this.clock = clock;
    }

    @Override
    protected Duration pause() {
        return jittered(EVERY, JITTER);
    }

    @Override
    protected Mono<Void> work() {
        return Flux.concatDelayError(carryOut(), readReturns()).then();
    }

    private Mono<Void> carryOut() {
        return store.confirmed(AT_ONCE_MAX)
                .flatMapMany(Flux::fromIterable)
                // a bank that is away must not keep the others from being carried out
                .flatMapDelayError(this::carryOut, 1, 1)
                .then();
    }

    /** A decision about the payment that is under way reads them itself. */
    private Mono<Void> readReturns() {
        return payments.withReportedReturns(AT_ONCE_MAX)
                .filterWhen(payment -> store.isConfirmed(payment.id()).map(isConfirmed -> !isConfirmed), 1)
                .flatMapDelayError(
                        payment -> unmatched
                                .readReturns(payment)
                                .flatMap(report -> report.map(this::send).orElseGet(Mono::empty))
                                .then(Mono.defer(() -> unmatched.returnsDone(payment))),
                        1,
                        1)
                .then();
    }

    private Mono<Void> carryOut(ConfirmedResolution resolution) {
        return resolution.unmatchedPayment() == null
                ? outcome(resolution)
                : unmatched
                        .step(resolution, resolution.unmatchedPayment())
                        .flatMap(step -> step.command() == null ? end(resolution, step.ended()) : send(step.command()));
    }

    private Mono<Void> outcome(ConfirmedResolution resolution) {
        TransactionCommand.Change command = resolution.command(resolution.settlement());
        return transactions.load(List.of(command), 1).flatMap(loaded -> {
            Optional<Transaction> transaction = loaded.find(command.transactionId());
            if (transaction.isEmpty()) {
                return end(resolution, ResolutionState.OUTDATED);
            }
            return transaction
                    .flatMap(resolution::outcome)
                    .map(state -> end(resolution, state))
                    // a command that arrives twice changes nothing
                    .orElseGet(() -> send(command));
        });
    }

    private Mono<Void> send(TransactionCommand command) {
        return sender.send(List.of(command), RecordPublisher::record);
    }

    private Mono<Void> end(ConfirmedResolution resolution, ResolutionState state) {
        if (state == ResolutionState.CONFIRMED) {
            return Mono.empty();
        }
        return store.end(resolution, state, clock.instant()).doOnSuccess(ended -> LOG.atInfo()
                .addKeyValue("event.action", "resolution_ended")
                .addKeyValue("resolution_id", resolution.id())
                .addKeyValue("decision", resolution.decision().code())
                .addKeyValue("state", state.code())
                .log("A decision of operators has been carried out, or cannot be"));
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "resolutions_wait")
                .addKeyValue(
                        "cause",
                        RailFault.describe(Exceptions.unwrapMultiple(failure).get(0)))
                .log("A confirmed decision of operators cannot be carried out now; it is tried again");
    }
}
