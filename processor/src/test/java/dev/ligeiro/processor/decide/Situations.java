package dev.ligeiro.processor.decide;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Rails, transactions of 150.75 and commands for the tests of the decisions. */
final class Situations {

    static final Duration LATE_ARRIVAL = Duration.ofSeconds(30);
    static final Duration INQUIRE_AFTER = Duration.ofSeconds(2);
    static final RailFacts BY_ID = facts(RailFacts.Inquiry.BY_ID, true, transaction -> false);
    /** Asked by id too, but its answers to registrations come later. */
    static final RailFacts REMOTE = facts(RailFacts.Inquiry.BY_ID, false, transaction -> false);

    static final RailFacts BY_RESUBMISSION = facts(RailFacts.Inquiry.BY_RESUBMISSION, true, transaction -> false);
    static final RailFacts ANALYSES_FIRST = facts(RailFacts.Inquiry.BY_ID, true, transaction -> true);

    /** The time at which every status of {@link #at} and every rail call began. */
    static final Instant BEGAN = Transactions.CREATED_AT;
    /** Twice the late-arrival span later: "not found" counts. */
    static final Instant NOW = BEGAN.plus(LATE_ARRIVAL.multipliedBy(2));

    static final Instant EXPIRY = BEGAN.plus(Transactions.EXPIRY);
    static final Amount ALL = new Amount(15_075);
    static final RefundId REFUND = Transactions.REFUND;
    /** Of every rail call, and of every answer. */
    static final UUID SECRET = new UUID(3, 5);

    /** No guard. */
    static final Function<Transaction, GuardVerdict> OPEN = cashout -> GuardVerdict.PASSED;

    /** Asked by id; what was created before {@link #NOW} may have been submitted before a backup was restored. */
    static final RailFacts RESTORED = new RailFacts(
            "bank",
            LATE_ARRIVAL,
            INQUIRE_AFTER,
            RailFacts.Inquiry.BY_ID,
            true,
            10,
            Duration.ofSeconds(10),
            transaction -> false,
            Duration.ZERO,
            false,
            NOW);

    private Situations() {}

    private static RailFacts facts(
            RailFacts.Inquiry inquiry, boolean registersAtOnce, Predicate<Transaction> analysesFirst) {
        return new RailFacts(
                "bank",
                LATE_ARRIVAL,
                INQUIRE_AFTER,
                inquiry,
                registersAtOnce,
                10,
                Duration.ofSeconds(10),
                analysesFirst);
    }

    /** A new transaction: the processor has not seen it. */
    static Transaction created(Operation operation) {
        return operation == Operation.CASHIN ? Transactions.goldenCashin() : Transactions.goldenCashout();
    }

    /** An accepted transaction in {@code status}, with the rail call that it has there on its ordinary way. */
    static Transaction at(Operation operation, Status status) {
        Transaction begun = created(operation).accept();
        boolean cashout = operation == Operation.CASHOUT;
        return switch (status) {
            case PENDING -> begun;
            case IN_ANALYSIS, IN_PROCESS -> moved(begun, status).with(call());
            case PAID -> cashout ? moved(begun, Status.IN_PROCESS, Status.PAID) : moved(begun, Status.PAID);
            case REFUND ->
                withRefund(at(operation, Status.PAID), ALL)
                        .closeCall(REFUND)
                        .with(new Entry.RefundMade(REFUND, true, BEGAN));
            case DENIED, CANCELED, EXPIRED -> moved(begun, status);
        };
    }

    /** The rail call of the first submission, which is due 15 s after it began. */
    static RailCall call() {
        return RailCall.first(null, BEGAN, BEGAN.plusSeconds(15)).withSecret(SECRET);
    }

    /** Adds a refund whose outcome is not known. */
    static Transaction withRefund(Transaction paid, Amount amount) {
        return paid.with(new Entry.RefundRequested(REFUND, amount, Source.MERCHANT, null, null, BEGAN, null))
                .with(RailCall.first(REFUND, BEGAN, BEGAN.plusSeconds(15)).withSecret(SECRET));
    }

    /** The command of its creation. */
    static TransactionCommand process(Transaction transaction) {
        return new TransactionCommand.Process(Transaction.create(
                transaction.id(), transaction.tenant(), transaction.operation(), transaction.terms(), null, null));
    }

    static TransactionCommand change(Transaction transaction, ChangeAction action) {
        return change(transaction, action, null);
    }

    static TransactionCommand change(Transaction transaction, ChangeAction action, @Nullable String idempotencyKey) {
        UUID id = new UUID(7, action.hashCode());
        return new TransactionCommand.Change(
                transaction.tenant(), transaction.id(), new ChangeRef(id, idempotencyKey), action);
    }

    static TransactionCommand sandbox(Transaction transaction, SandboxAction action) {
        return change(transaction, new ChangeAction.Sandbox(action));
    }

    static ChangeAction.Refund refund(@Nullable Amount amount) {
        return new ChangeAction.Refund(amount, null, null);
    }

    /** A check of everything that is due, whenever it is processed. */
    static TransactionCommand dueCheck(Transaction transaction) {
        return new TransactionCommand.DueCheck(transaction.tenant(), transaction.id(), Instant.MAX);
    }

    /** The answer to a call at {@link #NOW}. */
    static TransactionCommand answer(Transaction transaction, RailCallKind call, int submission, RailOutcome outcome) {
        return answer(transaction, call, submission, NOW, outcome);
    }

    static TransactionCommand answer(
            Transaction transaction, RailCallKind call, int submission, Instant askedAt, RailOutcome outcome) {
        return unsigned(transaction, null, call, submission, askedAt, outcome).signedWith(SECRET);
    }

    static TransactionCommand refundAnswer(Transaction transaction, RailCallKind call, RailOutcome outcome) {
        return unsigned(transaction, REFUND, call, 1, NOW, outcome).signedWith(SECRET);
    }

    private static TransactionCommand.RailAnswer unsigned(
            Transaction transaction,
            @Nullable RefundId refund,
            RailCallKind call,
            int submission,
            Instant askedAt,
            RailOutcome outcome) {
        return new TransactionCommand.RailAnswer(
                transaction.tenant(),
                transaction.id(),
                refund,
                call,
                submission,
                transaction.history().sequence(),
                askedAt,
                outcome,
                "");
    }

    /** A report of the payment with the transaction's own end-to-end id and amount. */
    static TransactionCommand notice(Transaction transaction) {
        return notice(transaction, transaction.endToEndId(), transaction.terms().amount());
    }

    static TransactionCommand notice(Transaction transaction, String endToEndId, @Nullable Amount amount) {
        return new TransactionCommand.RailNotice(transaction.id(), "bank", endToEndId, amount);
    }

    static Decision decide(Transaction transaction, TransactionCommand command, RailFacts facts, Instant now) {
        return CommandRules.decide(new Context(transaction, facts, now), command);
    }

    /** What a batch follows at a processor with this rail, or without it, and without a guard. */
    static Batch.Rules rules(@Nullable RailFacts facts, TransactionCommand... confirmed) {
        return rules(facts, OPEN, confirmed);
    }

    static Batch.Rules rules(
            @Nullable RailFacts facts, Function<Transaction, GuardVerdict> guard, TransactionCommand... confirmed) {
        return new Batch.Rules(transaction -> Optional.ofNullable(facts), guard, Set.of(confirmed), Map.of(), SECRET);
    }

    /** The run of a stored transaction after the first step. */
    static CommandRun run(Transaction stored, Batch.Rules rules, Instant now, TransactionCommand... commands) {
        return CommandRun.begin(List.of(commands), rules, stored, false).decide(now);
    }

    static UnmatchedPayment unmatched(
            Transaction transaction, String endToEndId, Amount amount, UnmatchedPayment.Reason reason) {
        return new UnmatchedPayment("bank", endToEndId, transaction.id(), amount, reason, NOW);
    }

    /** A batch at {@link #NOW} for transactions of which none is loaded. */
    static Batch begin(TransactionCommand... commands) {
        return begin(Map.of(), commands);
    }

    static Batch begin(Map<TransactionId, Transaction> loaded, TransactionCommand... commands) {
        return Batch.begin(Batch.byTransaction(List.of(commands)), loaded, rules(BY_ID), NOW);
    }

    /** A cashout whose second submission begins at {@link #NOW}. */
    static Transaction takenOver() {
        Transaction inProcess = at(Operation.CASHOUT, Status.IN_PROCESS);
        return decide(inProcess, answer(inProcess, RailCallKind.INQUIRE, 1, new RailOutcome.NotFound()), BY_ID, NOW)
                .after();
    }

    static Instant dueAt(Transaction transaction) {
        return Objects.requireNonNull(transaction.dueAt());
    }

    static Entry lastEntry(Transaction transaction) {
        List<Entry> entries = transaction.history().entries();
        return entries.get(entries.size() - 1);
    }

    /** One outcome of each kind; {@link #surplus} adds payments to one. */
    static List<RailOutcome> outcomes() {
        return List.of(
                RailOutcome.Settled.asAgreed(),
                new RailOutcome.Rejected("rejected_by_rail"),
                new RailOutcome.Pending(),
                new RailOutcome.InReview(),
                new RailOutcome.NotStarted(),
                new RailOutcome.Unknown(),
                new RailOutcome.NotFound());
    }

    static RailOutcome.Settled settledAndReturned(String id, Amount amount) {
        return new RailOutcome.Settled(null, List.of(new RailOutcome.Returned(id, amount)));
    }

    /** Another payment of the agreed amount, beside {@code outcome}. */
    static RailOutcome.Surplus surplus(RailOutcome outcome) {
        return new RailOutcome.Surplus(List.of(new RailOutcome.Payment("E2", ALL)), outcome);
    }

    private static Transaction moved(Transaction transaction, Status... path) {
        Transaction moved = transaction;
        for (Status status : path) {
            moved = moved.moveTo(status, BEGAN, Source.RAIL);
        }
        return moved;
    }
}
