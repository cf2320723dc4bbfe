package dev.ligeiro.processor.rail.simulator;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * The simulated rail of test transactions. The cents of an amount decide what happens, see {@link MagicAmount}. Charges are answered at
 * once and are not recorded, because they move no money. Cashouts and refunds are recorded in the {@link Ledger} before they are
 * answered; the ledger alone knows whether one was ever submitted.
 */
@Component
class SimulatedRail implements PaymentRail {

    private static final RailOutcome PENDING = new RailOutcome.Pending();
    private static final RailOutcome IN_REVIEW = new RailOutcome.InReview();
    private static final RailOutcome NOT_STARTED = new RailOutcome.NotStarted();
    private static final RailOutcome REJECTED = new RailOutcome.Rejected(LedgerEntry.REJECTION);

    /** For one tenant, in each processor. */
    private static final int CALLS_AT_ONCE_MAX = 1_000;

    private final RailFacts facts;
    private final SimulatorProperties properties;
    private final Ledger ledger;
    private final SimulatedLine line;
    private final Clock clock;

    SimulatedRail(SimulatorProperties properties, Ledger ledger, SimulatedLine line, Clock clock) {
        this.facts = new RailFacts(
                RailProperties.SIMULATOR,
                properties.lateArrival(),
                properties.inquireAfter(),
                RailFacts.Inquiry.BY_ID,
                true,
                CALLS_AT_ONCE_MAX,
                properties.callTimeout(),
                SimulatedRail::analysesFirst);
        this.properties = properties;
        this.ledger = ledger;
        this.line = line;
        this.clock = clock;
    }

    @Override
    public RailFacts facts() {
        return facts;
    }

    @Override
    public String account(Transaction transaction) {
        return Long.toString(transaction.tenant().key());
    }

    /** There are no owners of keys in test mode: the document counts as theirs. */
    @Override
    public boolean comparesOwner(Transaction cashout) {
        return true;
    }

    @Override
    public CompletableFuture<RailOutcome> submit(Transaction transaction) {
        return transaction.operation() == Operation.CASHIN
                ? charge(RailCallKind.SUBMIT, transaction)
                : line.submit(transaction, () -> ledger.submit(LedgerEntry.cashout(transaction, now())));
    }

    @Override
    public CompletableFuture<RailOutcome> inquire(Transaction transaction) {
        if (transaction.operation() == Operation.CASHIN) {
            return charge(RailCallKind.INQUIRE, transaction);
        }
        return line.inquire(() -> transaction.status() == Status.IN_ANALYSIS
                ? Mono.just(analysis(transaction))
                : find(transaction.id().value()));
    }

    @Override
    public CompletableFuture<RailOutcome> refund(Transaction transaction, Refund refund) {
        return line.submit(transaction, () -> ledger.submit(LedgerEntry.refund(transaction, refund, now())));
    }

    @Override
    public CompletableFuture<RailOutcome> inquireRefund(Transaction transaction, Refund refund) {
        return line.inquire(() -> find(refund.id().value()));
    }

    private CompletableFuture<RailOutcome> charge(RailCallKind call, Transaction cashin) {
        return line.charge(call, () -> chargeOutcome(cashin));
    }

    /** The answer to the registration of a charge, and to a later inquiry. */
    private RailOutcome chargeOutcome(Transaction cashin) {
        return switch (MagicAmount.of(cashin.terms().amount())) {
            case PAID_AT_ONCE -> RailOutcome.Settled.asAgreed();
            case DENIED -> REJECTED;
            case ANALYSED -> isAnalysisOver(cashin) ? RailOutcome.Settled.asAgreed() : IN_REVIEW;
            case ANALYSED_THEN_DENIED -> isAnalysisOver(cashin) ? REJECTED : IN_REVIEW;
            case TIMES_OUT_AFTER_MOVING, TIMES_OUT_WITHOUT_MOVING, SENT_BACK, ORDINARY -> PENDING;
        };
    }

    /** The answer to an inquiry about a cashout in analysis: not started means that it may be submitted now. */
    private RailOutcome analysis(Transaction cashout) {
        return isAnalysisOver(cashout) ? NOT_STARTED : IN_REVIEW;
    }

    private boolean isAnalysisOver(Transaction transaction) {
        return transaction
                .history()
                .lastAt(Status.IN_ANALYSIS)
                .filter(since -> !now().isBefore(since.plus(properties.analysis())))
                .isPresent();
    }

    private Mono<RailOutcome> find(UUID id) {
        return ledger.find(id).map(LedgerEntry::outcome).defaultIfEmpty(new RailOutcome.NotFound());
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static boolean analysesFirst(Transaction transaction) {
        return transaction.operation() == Operation.CASHOUT
                && MagicAmount.of(transaction.terms().amount()) == MagicAmount.ANALYSED;
    }
}
