package dev.ligeiro.transaction;

import dev.ligeiro.transaction.TransactionSnapshot.RefundSummary;
import dev.ligeiro.transaction.TransactionSnapshot.StatusAt;
import dev.ligeiro.transaction.Transition.InvalidTransition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An immutable state of a transaction; a change returns a new one. The gateway creates transactions, only the processor changes
 * them.
 *
 * @param id also holds the time of creation
 * @param terms fixed at creation
 * @param history what happened; the status follows from it
 * @param railCalls the calls to the rail that are not settled yet, at most one for the transaction and one for each refund
 * @param version counts the changes; the store's compare-and-set compares it
 * @param accepted whether the processor has accepted it; until then the gateway republishes it
 * @param unsentFrom the sequence of the first event that may not have been sent: the first of the batch that made the latest change. All
 *     earlier events were sent, because a batch begins when the previous one has sent its events. It bounds what a repeated command sends
 */
public record Transaction(
        TransactionId id,
        Tenant tenant,
        Operation operation,
        Terms terms,
        History history,
        List<RailCall> railCalls,
        int version,
        boolean accepted,
        int unsentFrom) {

    /** The reason of {@code in_analysis} while a person must approve a cashout. A rail's own analysis has no reason. */
    public static final String APPROVAL_REQUIRED = "approval_required";

    public Transaction {
        railCalls = List.copyOf(railCalls);
        if (unsentFrom < 1) {
            throw new IllegalArgumentException("unsentFrom: " + unsentFrom + " (expected: >= 1)");
        }
    }

    /**
     * A new transaction, created at the time in {@code id}.
     *
     * @param idempotencyKey the request's idempotency key; null when not given
     * @param by null when no API key has asked for it
     */
    public static Transaction create(
            TransactionId id,
            Tenant tenant,
            Operation operation,
            Terms terms,
            @Nullable String idempotencyKey,
            @Nullable Requester by) {
        ChangeRef change = idempotencyKey == null && by == null ? null : new ChangeRef(id.value(), idempotencyKey, by);
        return new Transaction(
                id, tenant, operation, terms, History.begin(id.createdAt(), change), List.of(), 1, false, 1);
    }

    /** Whether {@code other} has the same id and all that was fixed at creation. */
    public boolean hasTermsOf(Transaction other) {
        return id.equals(other.id)
                && tenant.equals(other.tenant)
                && operation == other.operation
                && terms.equals(other.terms);
    }

    public Instant createdAt() {
        return id.createdAt();
    }

    public Status status() {
        return history.status();
    }

    /** The payment's end-to-end id: the rail's own when it has reported one; {@code ""} before, in live mode. */
    public String endToEndId() {
        return history.settlement().map(Settlement::endToEndId).orElse(terms.endToEndId());
    }

    public @Nullable Instant finishedAt() {
        return new StatusAt(status(), history.statusSince()).finishedAt();
    }

    /** What its merchant is shown now, with the newest refunds. */
    public TransactionSnapshot snapshot() {
        return TransactionSnapshot.of(this, RefundSummary.newest(history.refunds()));
    }

    /**
     * What event {@code sequence} announces, with the refund that it is about. It is the same at every call, whatever happened later.
     *
     * @param sequence from 1 to the history's {@link History#sequence}
     */
    public TransactionSnapshot announced(int sequence) {
        Transaction then = asOf(sequence);
        return TransactionSnapshot.of(
                then, RefundSummary.endedBy(then.history.lastAnnounced(), then.history.refunds()));
    }

    /** The idempotency keys of the requests that its history names, and of an open cancel: no other request of its tenant may have one. */
    public Stream<String> idempotencyKeys() {
        return Stream.concat(
                history.entries().stream().flatMap(entry -> Stream.ofNullable(entry.idempotencyKey())),
                openCancelKeys());
    }

    /** The idempotency key of a cancel that the rail has not answered. */
    public Stream<String> openCancelKeys() {
        return railCalls.stream()
                .flatMap(call -> Stream.ofNullable(call.cancel()))
                .flatMap(cancel -> Stream.ofNullable(cancel.idempotencyKey()));
    }

    public Set<Status> allowedMoves() {
        return Transition.allowed(operation, status());
    }

    /**
     * When a processor must look at it, even without a command; null for never. While the rail is asked about a pending transaction,
     * that call is due instead of the expiry.
     */
    public @Nullable Instant dueAt() {
        boolean expires = status() == Status.PENDING && railCall(null).isEmpty();
        Stream<Instant> expiry = expires ? Stream.of(terms.expiresAt()) : Stream.empty();
        return Stream.concat(expiry, railCalls.stream().map(RailCall::dueAt))
                .min(Instant::compareTo)
                .orElse(null);
    }

    /**
     * Since when the outcome of a rail call has been unknown: the time at which the status began or the refund was requested, however
     * often the call was repeated; for a cancel, a question at the expiry or after the outcome, the time of the call. The earliest of all open
     * calls; null without one. The question who has paid is about no money, unless the rail has reported something since.
     */
    public @Nullable Instant unsettledSince() {
        return railCalls.stream()
                .filter(call -> !call.checksPayer() || call.reportedAt() != null)
                .map(this::openSince)
                .min(Instant::compareTo)
                .orElse(null);
    }

    /** Since when it has been waiting for a person's approval; null if it does not wait. */
    public @Nullable Instant approvalSince() {
        return history.approvalSince();
    }

    /** Since when a defence has been waiting to be sent to the rail; null if none is. */
    public @Nullable Instant defenseSince() {
        List<Entry.DefenseRequested> open = history.openDefenses();
        return open.isEmpty() ? null : open.get(0).at();
    }

    /** The unsettled call to the rail for this refund, or for the transaction itself when {@code refund} is null. */
    public Optional<RailCall> railCall(@Nullable RefundId refund) {
        return railCalls.stream()
                .filter(call -> Objects.equals(call.refund(), refund))
                .findFirst();
    }

    /**
     * Appends entries to the history. The result has the next version. It is accepted if an event announces an entry; a refused
     * request leaves a new transaction new.
     *
     * @throws InvalidTransition if {@link Transition} does not allow the move of an entry
     */
    public Transaction with(Entry... entries) {
        Status from = status();
        for (Entry entry : entries) {
            Status to = entry.newStatus();
            if (to != null) {
                Set<Status> allowed = Transition.allowed(operation, from);
                if (!allowed.contains(to)) {
                    throw new InvalidTransition(from, to, allowed);
                }
                from = to;
            }
        }
        boolean isAnnounced = Stream.of(entries).anyMatch(Entry::announced);
        return new Transaction(
                id,
                tenant,
                operation,
                terms,
                history.with(List.of(entries)),
                railCalls,
                version + 1,
                accepted || isAnnounced,
                unsentFrom);
    }

    /** Moves to {@code to} without a reason. Throws as {@link #with}. */
    public Transaction moveTo(Status to, Instant at, Source source) {
        return with(Entry.StatusChanged.to(to, at, source));
    }

    /** Stores {@code call} in place of the one for the same refund or transaction. The result has the next version. */
    public Transaction with(RailCall call) {
        List<RailCall> calls = new ArrayList<>(without(call.refund()));
        calls.add(call);
        return new Transaction(id, tenant, operation, terms, history, calls, version + 1, true, unsentFrom);
    }

    /** Removes the rail call for this refund or, when null, for the transaction. The version changes only with the list. */
    public Transaction closeCall(@Nullable RefundId refund) {
        List<RailCall> calls = without(refund);
        return calls.size() == railCalls.size()
                ? this
                : new Transaction(id, tenant, operation, terms, history, calls, version + 1, accepted, unsentFrom);
    }

    /**
     * What a rail is told for a call: the transaction with this refund, or with none when null, and without the others, so that its size is
     * bounded. Never stored. Its status is the same, unless the refunds are complete.
     */
    public Transaction withOnly(@Nullable RefundId refund) {
        if (railCalls.isEmpty() && history.entries().stream().allMatch(Entry.StatusChanged.class::isInstance)) {
            return this;
        }
        List<Entry> entries = history.entries().stream()
                .filter(entry -> entry instanceof Entry.StatusChanged
                        || entry instanceof Entry.RefundRequested requested
                                && requested.refund().equals(refund))
                .toList();
        List<RailCall> calls = railCalls.stream()
                .filter(call -> call.refund() == null || call.refund().equals(refund))
                .toList();
        return new Transaction(
                id, tenant, operation, terms, new History(entries), calls, version, accepted, unsentFrom);
    }

    /** Marks this transaction as accepted. Its version stays, because acceptance adds no entry to the history. */
    public Transaction accept() {
        return accepted
                ? this
                : new Transaction(id, tenant, operation, terms, history, railCalls, version, true, unsentFrom);
    }

    /** The same with the next version. Updates based on the present version then fail. */
    public Transaction nextVersion() {
        return new Transaction(id, tenant, operation, terms, history, railCalls, version + 1, accepted, unsentFrom);
    }

    /** Sets {@link #unsentFrom}. The version stays: the store writes it together with another change. */
    public Transaction withUnsentFrom(int sequence) {
        return sequence == unsentFrom
                ? this
                : new Transaction(id, tenant, operation, terms, history, railCalls, version, accepted, sequence);
    }

    /** Gives {@code secret} to the rail calls that have none. The version stays: the store writes it together with another change. */
    public Transaction withCallSecret(UUID secret) {
        if (railCalls.stream().noneMatch(call -> call.secret() == null)) {
            return this;
        }
        List<RailCall> calls = railCalls.stream()
                .map(call -> call.secret() == null ? call.withSecret(secret) : call)
                .toList();
        return new Transaction(id, tenant, operation, terms, history, calls, version, accepted, unsentFrom);
    }

    /**
     * The state that event {@code sequence} announces. It is the same at every call, whatever happened later: rail calls are left
     * out, and the version is the sequence. Exception: refused requests, which no event shows, may be missing if more than 50 were refused.
     *
     * @param sequence from 1 to the history's {@link History#sequence}
     */
    public Transaction asOf(int sequence) {
        return new Transaction(id, tenant, operation, terms, history.asOf(sequence), List.of(), sequence, true, 1);
    }

    private Instant openSince(RailCall call) {
        if (call.refund() != null) {
            return history.entries().stream()
                    .filter(entry -> call.refund().value().equals(entry.changeId()))
                    .findFirst()
                    .map(Entry::at)
                    .orElse(call.since());
        }
        // a call at the expiry or after the outcome is a new question
        boolean sinceStatus =
                switch (status()) {
                    case IN_ANALYSIS, IN_PROCESS -> true;
                    case PENDING -> call.cancel() == null && call.since().isBefore(terms.expiresAt());
                    case PAID, EXPIRED, CANCELED, DENIED, REFUND -> false;
                };
        return sinceStatus ? history.statusSince() : call.since();
    }

    private List<RailCall> without(@Nullable RefundId refund) {
        return railCalls.stream()
                .filter(call -> !Objects.equals(call.refund(), refund))
                .toList();
    }

    /** Shows id, status and version; other fields are personal data or long. */
    @Override
    public String toString() {
        return "Transaction[id=" + id + ", status=" + status().code() + ", version=" + version + "]";
    }
}
