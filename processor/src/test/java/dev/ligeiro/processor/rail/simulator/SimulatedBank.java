package dev.ligeiro.processor.rail.simulator;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailCommandPublisher;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailUnderTest;
import dev.ligeiro.processor.rail.RecordedNotices;
import dev.ligeiro.processor.rail.WrappedRail;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The simulated rail on a ledger in memory. Its subclasses have the characters of real banks. */
class SimulatedBank extends WrappedRail implements RailUnderTest {

    private static final SimulatorProperties PROPERTIES = Settings.defaults(SimulatorProperties.class);

    private static final RailCommandPublisher NO_NOTICES = new RecordedNotices().door();

    final InMemoryLedger ledger;

    SimulatedBank(Clock clock) {
        this(new InMemoryLedger(), clock);
    }

    private SimulatedBank(InMemoryLedger ledger, Clock clock) {
        super(new SimulatedRail(PROPERTIES, ledger, new SimulatedLine(PROPERTIES, NO_NOTICES, clock), clock));
        this.ledger = ledger;
    }

    @Override
    public PaymentRail rail() {
        return this;
    }

    @Override
    public int moved(UUID id) {
        return ledger.moved(id);
    }

    @Override
    protected CompletableFuture<RailOutcome> call(RailCallKind kind, Transaction transaction, @Nullable Refund refund) {
        Supplier<CompletableFuture<RailOutcome>> simulated = () -> pass(kind, transaction, refund);
        boolean submits = kind == RailCallKind.SUBMIT;
        if (refund == null && transaction.operation() == Operation.CASHIN) {
            UUID id = transaction.id().value();
            return submits ? register(id, simulated) : inquireCharge(id, simulated);
        }
        if (refund == null && !submits && transaction.status() == Status.IN_ANALYSIS) {
            return simulated.get();
        }
        UUID id = refund == null ? transaction.id().value() : refund.id().value();
        return submits ? submit(id, simulated) : inquire(id, simulated);
    }

    /** The registration of the charge of a cashin. */
    CompletableFuture<RailOutcome> register(UUID id, Supplier<CompletableFuture<RailOutcome>> simulated) {
        return simulated.get();
    }

    /** An inquiry about the charge of a cashin. */
    CompletableFuture<RailOutcome> inquireCharge(UUID id, Supplier<CompletableFuture<RailOutcome>> simulated) {
        return simulated.get();
    }

    /** The submission of a cashout or refund. */
    CompletableFuture<RailOutcome> submit(UUID id, Supplier<CompletableFuture<RailOutcome>> simulated) {
        return simulated.get();
    }

    /** An inquiry about a cashout or refund. */
    CompletableFuture<RailOutcome> inquire(UUID id, Supplier<CompletableFuture<RailOutcome>> simulated) {
        return simulated.get();
    }

    private static CompletableFuture<RailOutcome> answer(RailOutcome outcome) {
        return CompletableFuture.completedFuture(outcome);
    }

    private static RailFacts like(
            RailFacts like, RailFacts.Inquiry inquiry, boolean registersAtOnce, int callsAtOnceMax) {
        return new RailFacts(
                like.name(),
                like.lateArrival(),
                like.inquireAfter(),
                inquiry,
                registersAtOnce,
                callsAtOnceMax,
                like.callTimeout(),
                like.analysesFirst());
    }

    /** It is asked by the same submission again. It looks a payment up only to confirm that a rejection counts. */
    static final class AskedByResubmission extends SimulatedBank {

        private final boolean rejectsRepetitions;

        /** @param rejectsRepetitions as a bank that checks the balance before the id: the first submission has used it up */
        AskedByResubmission(Clock clock, boolean rejectsRepetitions) {
            super(clock);
            this.rejectsRepetitions = rejectsRepetitions;
        }

        @Override
        public RailFacts facts() {
            return like(
                    super.facts(),
                    RailFacts.Inquiry.BY_RESUBMISSION,
                    true,
                    super.facts().callsAtOnceMax());
        }

        @Override
        CompletableFuture<RailOutcome> submit(UUID id, Supplier<CompletableFuture<RailOutcome>> simulated) {
            return rejectsRepetitions && ledger.submissions(id) > 0
                    ? answer(new RailOutcome.Rejected("no_funds"))
                    : simulated.get();
        }

        @Override
        public CompletableFuture<RailOutcome> inquire(Transaction transaction) {
            if (transaction.operation() == Operation.CASHOUT && transaction.status() != Status.IN_ANALYSIS) {
                requireRejection(transaction, null);
            }
            return super.inquire(transaction);
        }

        @Override
        public CompletableFuture<RailOutcome> inquireRefund(Transaction transaction, Refund refund) {
            requireRejection(transaction, refund.id());
            return super.inquireRefund(transaction, refund);
        }

        private static void requireRejection(Transaction transaction, @Nullable RefundId refund) {
            if (transaction.railCall(refund).map(RailCall::rejection).isEmpty()) {
                throw new AssertionError(
                        "inquiry about " + transaction.id() + " (expected: the same submission again)");
            }
        }
    }

    /** It rejects an id that it knows, also if the charge is registered or the money has moved. */
    static final class RejectsRepetitions extends SimulatedBank {

        private final boolean registersAtOnce;
        private final Set<UUID> registered = new HashSet<>();
        private final Set<UUID> removed = new HashSet<>();

        RejectsRepetitions(Clock clock, boolean registersAtOnce) {
            super(clock);
            this.registersAtOnce = registersAtOnce;
        }

        @Override
        public RailFacts facts() {
            RailFacts simulated = super.facts();
            return like(simulated, RailFacts.Inquiry.BY_ID, registersAtOnce, simulated.callsAtOnceMax());
        }

        @Override
        CompletableFuture<RailOutcome> register(UUID id, Supplier<CompletableFuture<RailOutcome>> simulated) {
            return registered.add(id) ? simulated.get() : answer(new RailOutcome.Rejected("duplicate_id"));
        }

        @Override
        CompletableFuture<RailOutcome> inquireCharge(UUID id, Supplier<CompletableFuture<RailOutcome>> simulated) {
            if (removed.contains(id)) {
                return answer(new RailOutcome.Rejected("provider_removed"));
            }
            return registered.contains(id) ? simulated.get() : answer(new RailOutcome.NotFound());
        }

        @Override
        public CompletableFuture<RailOutcome> cancel(Transaction transaction) {
            UUID id = transaction.id().value();
            if (registered.contains(id)) {
                removed.add(id);
            }
            return inquire(transaction);
        }

        @Override
        CompletableFuture<RailOutcome> submit(UUID id, Supplier<CompletableFuture<RailOutcome>> simulated) {
            return ledger.submissions(id) > 0 ? answer(new RailOutcome.Rejected("duplicate_id")) : simulated.get();
        }
    }

    /** A person must release each cashout and refund, and takes some time to do it. */
    static final class ReleasedByAPerson extends SimulatedBank {

        private static final int PAUSES = 3;

        private final Map<UUID, Supplier<CompletableFuture<RailOutcome>>> waiting = new HashMap<>();
        private final Set<UUID> known = new HashSet<>();
        private int pauses;

        ReleasedByAPerson(Clock clock) {
            super(clock);
        }

        @Override
        CompletableFuture<RailOutcome> submit(UUID id, Supplier<CompletableFuture<RailOutcome>> simulated) {
            if (known.add(id)) {
                waiting.put(id, simulated);
            }
            return waiting.containsKey(id) ? answer(new RailOutcome.InReview()) : simulated.get();
        }

        @Override
        CompletableFuture<RailOutcome> inquire(UUID id, Supplier<CompletableFuture<RailOutcome>> simulated) {
            return waiting.containsKey(id) ? answer(new RailOutcome.InReview()) : simulated.get();
        }

        @Override
        public void release() {
            if (++pauses % PAUSES == 0) {
                waiting.values().forEach(Supplier::get);
                waiting.clear();
            }
        }
    }

    /** It takes one call at once for an account, and is too busy for the first submission of each id. */
    static final class OneCallAtOnce extends SimulatedBank {

        private final Set<UUID> notStarted = new HashSet<>();

        OneCallAtOnce(Clock clock) {
            super(clock);
        }

        @Override
        public RailFacts facts() {
            return like(super.facts(), RailFacts.Inquiry.BY_ID, true, 1);
        }

        @Override
        CompletableFuture<RailOutcome> submit(UUID id, Supplier<CompletableFuture<RailOutcome>> simulated) {
            return notStarted.add(id) ? answer(new RailOutcome.NotStarted()) : simulated.get();
        }
    }
}
