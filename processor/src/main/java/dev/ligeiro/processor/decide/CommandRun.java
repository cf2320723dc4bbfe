package dev.ligeiro.processor.decide;

import dev.ligeiro.message.BookEvent;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The processing state of one transaction's commands in a batch. Commands are decided in order up to the first that needs a rail
 * call. The decisions are stored, the rail is called, its outcome is applied if it comes at once, and the next commands are decided.
 * The result is therefore the same for every division of the commands into batches.
 *
 * @param commands the batch's commands for this transaction, in the order of their records
 * @param facts what the transaction's rail states about itself; null while this processor does not have the rail. No call is then made
 * @param keysTaken idempotency keys already used by this tenant, usually by another transaction
 * @param outcomes the outcomes of the commands decided so far
 * @param stored the transaction in the store, as last read, written or carried by a command
 * @param carried whether {@code stored} is the command's copy, which no read or write has confirmed yet
 * @param decision the transaction after all decisions, to be stored, the rail call to make then, and the money of all commands that the
 *     transaction cannot take
 * @param announceFrom the sequence of the first event to send. It is {@link Transaction#unsentFrom} if an earlier attempt at these
 *     commands may have ended before sending
 */
public record CommandRun(
        List<TransactionCommand> commands,
        Batch.Rules rules,
        @Nullable RailFacts facts,
        Set<Conflicts.TakenKey> keysTaken,
        List<CommandOutcome> outcomes,
        Transaction stored,
        boolean carried,
        Decision decision,
        int announceFrom) {

    /**
     * @param stored the stored transaction, or the one that the command carries
     * @param carried whether it is the latter; the compare-and-set detects a difference
     */
    static CommandRun begin(List<TransactionCommand> commands, Batch.Rules rules, Transaction stored, boolean carried) {
        int next = stored.accepted() ? stored.history().sequence() + 1 : 1;
        RailFacts facts = rules.facts().apply(stored).orElse(null);
        return new CommandRun(
                commands, rules, facts, Set.of(), List.of(), stored, carried, Decision.store(stored), next);
    }

    public TransactionId id() {
        return stored.id();
    }

    Transaction decided() {
        return decision.after();
    }

    /** The rail call to make once the decisions are stored; null for none. */
    public @Nullable RailRequest railRequest() {
        return decision.railRequest();
    }

    List<UnmatchedPayment> unmatched() {
        return decision.unmatched();
    }

    /** Decides commands until none is left or one needs a rail call. */
    CommandRun decide(Instant now) {
        CommandRun run = this;
        while (run.railRequest() == null && run.outcomes.size() < commands.size()) {
            run = run.decideNext(now);
        }
        return run;
    }

    /** The update to store, if any. */
    Optional<Update> update() {
        Transaction after = toStore();
        return after == stored ? Optional.empty() : Optional.of(new Update(stored, after, carried));
    }

    private Transaction toStore() {
        Transaction decided = decided();
        boolean changed = decided.version() != stored.version() || decided.accepted() != stored.accepted();
        return changed ? decided.withUnsentFrom(announceFrom).withCallSecret(rules.secret()) : stored;
    }

    /** The state after {@link #update} was stored. */
    CommandRun written() {
        Transaction now = toStore();
        boolean stillCarried = carried && now == stored;
        Decision done = decision.withAfter(now);
        return new CommandRun(commands, rules, facts, keysTaken, outcomes, now, stillCarried, done, announceFrom);
    }

    /**
     * The state after a conflict: all commands are decided again, starting from the stored transaction {@code found}. The events of its
     * latest change are sent, because the process that stored it may have died before sending them.
     *
     * @param nowTaken the taken keys that this conflict has shown; those of earlier conflicts stay known
     */
    CommandRun restart(Transaction found, Set<Conflicts.TakenKey> nowTaken) {
        Set<Conflicts.TakenKey> allTaken = new HashSet<>(keysTaken);
        allTaken.addAll(nowTaken);
        // a forged command may have carried another rail
        RailFacts itsFacts = rules.facts().apply(found).orElse(null);
        Decision none = Decision.store(found);
        return new CommandRun(commands, rules, itsFacts, allTaken, List.of(), found, false, none, found.unsentFrom());
    }

    /** Whether {@code nowTaken} has a key of these commands that was not known to be taken. One more command is then refused. */
    boolean learnsFrom(Set<Conflicts.TakenKey> nowTaken) {
        return commands.stream().anyMatch(command -> hasKeyIn(nowTaken, command) && !hasKeyIn(keysTaken, command));
    }

    /**
     * Makes the command that brings the answer to {@link #railRequest}, when the rail does not answer at once. It holds no transaction:
     * thousands of calls may wait.
     *
     * @param askedAt just before the call
     */
    public Function<RailOutcome, TransactionCommand.RailAnswer> answering(Instant askedAt) {
        RailRequest request = Objects.requireNonNull(railRequest());
        Tenant tenant = stored.tenant();
        TransactionId id = stored.id();
        // a question that is not stored yet gets the secret of this run
        UUID callSecret =
                stored.railCall(request.refund()).map(RailCall::secret).orElse(rules.secret());
        return outcome -> new TransactionCommand.RailAnswer(
                        tenant,
                        id,
                        request.refund(),
                        request.call(),
                        request.submission(),
                        request.sequence(),
                        askedAt,
                        outcome,
                        "")
                .signedWith(callSecret);
    }

    /** The state after the rail's answer to {@link #railRequest}. */
    CommandRun answered(RailOutcome outcome, Instant askedAt) {
        RailRequest request = railRequest();
        if (request == null || facts == null) {
            return this;
        }
        Context context = new Context(decided(), facts, askedAt);
        return with(
                outcomes,
                permitted(context, RailDecisions.decide(context, request, askedAt, outcome), null),
                announceFrom);
    }

    /** The state when the rail has not answered at once: the answer comes as a command. */
    CommandRun leftWithoutAnswer(Instant askedAt) {
        RailRequest request = railRequest();
        if (request == null || facts == null) {
            return this;
        }
        Context context = new Context(decided(), facts, askedAt);
        return with(outcomes, Decision.store(SubmissionDecisions.underWay(context, request)), announceFrom);
    }

    /** Whether all commands are decided and all changes stored. */
    boolean isComplete() {
        return railRequest() == null && outcomes.size() == commands.size() && update().isEmpty();
    }

    /** The events to send, oldest first; none before the transaction is accepted. */
    Stream<TransactionEvent> events() {
        return stored.accepted()
                ? IntStream.rangeClosed(announceFrom, stored.history().sequence())
                        .mapToObj(sequence -> TransactionEvent.of(stored, sequence))
                : Stream.empty();
    }

    /** What the books are told beside the events; nothing before the transaction is accepted. */
    List<BookEvent> bookEvents() {
        return stored.accepted() ? BookEvents.of(stored, announceFrom, unmatched()) : List.of();
    }

    private CommandRun decideNext(Instant now) {
        Transaction before = decided();
        TransactionCommand command = commands.get(outcomes.size());
        if (hasOtherTerms(command)) {
            return refused(CommandOutcome.OTHER_TERMS);
        }
        if (command instanceof TransactionCommand.Change change
                && change.action() instanceof ChangeAction.Resolve
                && !rules.confirmed().contains(change)) {
            return refused(CommandOutcome.NOT_CONFIRMED);
        }
        if (command instanceof TransactionCommand.Announce announce) {
            int from = Redelivery.firstSince(before, announce.since());
            return with(soFar(CommandOutcome.UNCHANGED), Decision.store(before), Math.min(announceFrom, from));
        }
        Decision next = decide(command, now);
        if (isAnswerToNoCall(command)) {
            if (tellsMoreThanExpiry(next.after()) && !tellsOnlyThePayer(next.after())) {
                return refused(CommandOutcome.NO_RAIL_CALL);
            }
            next = Decision.store(before).withUnmatched(next.unmatched());
        }
        if (next.railRequest() != null && isFollowedByReport(command)) {
            boolean namesPayer = command instanceof TransactionCommand.RailNotice notice && notice.payer() != null;
            next = namesPayer ? next.withoutRequest() : Decision.store(before);
        }
        boolean isChange = next.changes(before);
        boolean hasEffect = isChange || !next.unmatched().isEmpty();
        boolean mayRepeat = Redelivery.isPossible(command, stored, before, next, now);
        int from = mayRepeat ? Math.min(announceFrom, Redelivery.unsentFrom(command, before)) : announceFrom;
        // a transaction stores only its earliest due time, so this look handles all due calls, not one for each pass of
        // the due work
        if (command instanceof TransactionCommand.DueCheck check
                && isChange
                && hasDueCall(next.after(), check.until(now))) {
            return with(outcomes, next, from);
        }
        if (!isChange && mayRepeat && !before.railCalls().isEmpty()) {
            next = next.withAfter(fenced());
        }
        return with(soFar(hasEffect ? CommandOutcome.APPLIED : CommandOutcome.UNCHANGED), next, from);
    }

    /** Only the command that carries the transaction brings terms. */
    private boolean hasOtherTerms(TransactionCommand command) {
        return command instanceof TransactionCommand.Process process
                && !process.transaction().hasTermsOf(decided());
    }

    /**
     * Every call whose answer comes as a command is stored, and the first answer that settles it closes it. Another answer to it, or the same
     * one again, has nothing new to say. One without the signature of the call is an earlier call's, or forged.
     */
    private boolean isAnswerToNoCall(TransactionCommand command) {
        return command instanceof TransactionCommand.RailAnswer answer
                && decided()
                        .railCall(answer.refund())
                        .filter(call -> answer.isSignedWith(call.secret()))
                        .isEmpty();
    }

    /** Whether {@code after} tells the merchant of more than an expiry, which needs no rail. */
    private boolean tellsMoreThanExpiry(Transaction after) {
        return after.history().sequence() > decided().history().sequence() && after.status() != Status.EXPIRED;
    }

    /** Of a cashin that is paid already: an earlier call may answer while the question about the payer is open, whose answer counts. */
    private boolean tellsOnlyThePayer(Transaction after) {
        return decided().history().lastAt(Status.PAID).isPresent()
                && after.history().hasPayerMismatch()
                && !decided().history().hasPayerMismatch();
    }

    private CommandRun refused(CommandOutcome reason) {
        return with(soFar(reason), Decision.store(decided()), announceFrom);
    }

    private List<CommandOutcome> soFar(CommandOutcome next) {
        if (outcomes.isEmpty()) {
            return List.of(next);
        }
        List<CommandOutcome> soFar = new ArrayList<>(outcomes.size() + 1);
        soFar.addAll(outcomes);
        soFar.add(next);
        return soFar;
    }

    /**
     * The next version, if no change is about to be written anyway. The processor that had the partition before may have made the change
     * and be waiting for the rail's answer. It must not store that any more: it could end before it sends the event, and the command
     * is not repeated once this batch is committed.
     */
    private Transaction fenced() {
        return decided().version() == stored.version() ? decided().nextVersion() : decided();
    }

    private Decision decide(TransactionCommand command, Instant now) {
        Transaction before = decided();
        if (isKeyOfAnother(command)) {
            ChangeRef change = ((TransactionCommand.Change) command).change();
            return Decision.store(ChangeDecisions.refused(before, change, ChangeRefusal.IDEMPOTENCY_KEY_REUSED, now));
        }
        if (command instanceof TransactionCommand.DisputeReport report) {
            return Decision.store(
                    DisputeDecisions.decide(before, rules.disputes().get(report.dispute()), now));
        }
        if (facts == null) {
            return ResolutionDecisions.refused(before, CommandRules.decideWithoutRail(before, command, now), now);
        }
        Context context = new Context(before, facts, now);
        return permitted(context, CommandRules.decide(context, command), command);
    }

    /**
     * The decision as the guard and the operators' open decisions permit it.
     *
     * @param command null for the answer of the rail
     */
    private Decision permitted(Context context, Decision next, @Nullable TransactionCommand command) {
        Decision guarded = GuardDecisions.decide(context, next, command, rules.guard());
        return ResolutionDecisions.refused(context.transaction(), guarded, context.now());
    }

    /**
     * The inquiry about the rail's next report answers this one too, except who has paid. Banks limit inquiries, and many reports may come at
     * once.
     */
    private boolean isFollowedByReport(TransactionCommand command) {
        int next = outcomes.size() + 1;
        return command instanceof TransactionCommand.RailNotice notice
                && next < commands.size()
                && commands.get(next) instanceof TransactionCommand.RailNotice following
                && following.rail().equals(notice.rail());
    }

    private static boolean hasDueCall(Transaction transaction, Instant until) {
        return transaction.railCalls().stream().anyMatch(call -> !call.dueAt().isAfter(until));
    }

    /** The key of a request that was made before is taken by this transaction itself. */
    private boolean isKeyOfAnother(TransactionCommand command) {
        return hasKeyIn(keysTaken, command)
                && !ChangeDecisions.hasEntry(decided(), ((TransactionCommand.Change) command).change());
    }

    private boolean hasKeyIn(Set<Conflicts.TakenKey> keys, TransactionCommand command) {
        return command instanceof TransactionCommand.Change change
                && change.change().idempotencyKey() != null
                && keys.contains(
                        new Conflicts.TakenKey(stored.tenant(), change.change().idempotencyKey()));
    }

    private CommandRun with(List<CommandOutcome> newOutcomes, Decision next, int from) {
        Decision sum = unmatched().isEmpty()
                ? next
                : new Decision(next.after(), next.railRequest(), unmatched()).withUnmatched(next.unmatched());
        return new CommandRun(commands, rules, facts, keysTaken, newOutcomes, stored, carried, sum, from);
    }
}
