package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.ALL;
import static dev.ligeiro.processor.decide.Situations.ANALYSES_FIRST;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.BY_RESUBMISSION;
import static dev.ligeiro.processor.decide.Situations.EXPIRY;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static dev.ligeiro.processor.decide.Situations.REMOTE;
import static dev.ligeiro.processor.decide.Situations.RESTORED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Resolution;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.Transition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every command does in every status, as two tables that a reviewer checks by eye. A cell names the new status, then the call
 * that follows: {@code ask} the rail or {@code submit} to it. {@code refused} is an entry that refuses a merchant's request,
 * {@code unmatched} is money for the operator, and a dot means that no entry, call or unmatched payment results.
 *
 * <p>The first column is a transaction that the processor has not accepted; an accepted cashout is never pending.
 */
class DecisionGridTest {

    private static final String CASHIN =
            """
            cashin                    | new           | pending       | in_analysis | paid          | refund    | denied    | canceled  | expired
            process                   | submit        | .             | .           | .             | .         | .         | .         | .
            process, remote           | submit        | .             | .           | .             | .         | .         | .         | .
            process, analysed         | submit        | .             | .           | .             | .         | .         | .         | .
            process, expired          | expired       | .             | .           | .             | .         | .         | .         | .
            restored: process         | submit        | .             | .           | .             | .         | .         | .         | .
            restored: process late    | ask           | .             | .           | .             | .         | .         | .         | .
            restored: due check       | ask           | ask           | ask         | .             | .         | .         | .         | .
            restored: refund          | refused       | refused       | refused     | ask           | refused   | refused   | refused   | refused
            cancel                    | canceled      | canceled      | refused     | refused       | refused   | refused   | refused   | refused
            cancel, remote            | canceled      | cancel        | refused     | refused       | refused   | refused   | refused   | refused
              asked: settled          | paid, refused | paid, refused | paid        | .             | .         | unmatched | unmatched | paid
              asked: rejected         | canceled      | canceled      | denied      | .             | .         | .         | .         | .
              asked: pending          | .             | .             | .           | .             | .         | .         | .         | .
              asked: in_review        | .             | .             | .           | .             | .         | .         | .         | .
              asked: not_started      | .             | .             | .           | .             | .         | .         | .         | .
              asked: unknown          | .             | .             | .           | .             | .         | .         | .         | .
              asked: not_found        | canceled      | canceled      | submit      | .             | .         | .         | .         | .
            resolve paid              | paid          | paid          | paid        | refused       | refused   | refused   | refused   | paid
            resolve denied            | refused       | refused       | refused     | refused       | refused   | refused   | refused   | refused
              again: settled          | paid          | paid          | paid        | .             | .         | unmatched | unmatched | paid
              again: rejected         | denied        | denied        | denied      | .             | .         | .         | .         | .
              again: pending          | .             | .             | .           | .             | .         | .         | .         | .
              again: in_review        | in_analysis   | in_analysis   | .           | .             | .         | .         | .         | .
              again: not_started      | .             | .             | .           | .             | .         | .         | .         | .
              again: unknown          | .             | .             | .           | .             | .         | .         | .         | .
              again: not_found        | .             | .             | submit      | .             | .         | .         | .         | .
            approve                   | refused       | refused       | refused     | refused       | refused   | refused   | refused   | refused
              waiting: approve        | refused       | refused       | refused     | refused       | refused   | refused   | refused   | refused
              waiting: reject         | refused       | refused       | refused     | refused       | refused   | refused   | refused   | refused
            refund                    | refused       | refused       | refused     | submit        | refused   | refused   | refused   | refused
            defend                    | refused       | refused       | refused     | refused       | refused   | refused   | refused   | refused
            sandbox pay               | paid          | paid          | paid        | refused       | refused   | refused   | refused   | paid
            sandbox deny              | denied        | denied        | denied      | refused       | refused   | refused   | refused   | refused
            sandbox analyze           | in_analysis   | in_analysis   | refused     | refused       | refused   | refused   | refused   | refused
            sandbox expire            | expired       | expired       | refused     | refused       | refused   | refused   | refused   | refused
            sandbox refund            | refused       | refused       | refused     | refund        | refused   | refused   | refused   | refused
            due check                 | expired       | ask           | ask         | .             | .         | .         | .         | .
            submit: settled           | paid          | paid          | paid        | .             | .         | unmatched | unmatched | paid
            submit: rejected          | ask           | .             | ask         | .             | .         | .         | .         | .
            submit: pending           | .             | .             | .           | .             | .         | .         | .         | .
            submit: in_review         | in_analysis   | .             | .           | .             | .         | .         | .         | .
            submit: not_started       | .             | .             | .           | .             | .         | .         | .         | .
            submit: unknown           | .             | .             | .           | .             | .         | .         | .         | .
            submit: not_found         | .             | .             | submit      | .             | .         | .         | .         | .
            inquire: settled          | paid          | paid          | paid        | .             | .         | unmatched | unmatched | paid
            inquire: rejected         | denied        | denied        | denied      | .             | .         | .         | .         | .
            inquire: pending          | .             | .             | .           | .             | .         | .         | .         | .
            inquire: in_review        | in_analysis   | in_analysis   | .           | .             | .         | .         | .         | .
            inquire: not_started      | .             | .             | .           | .             | .         | .         | .         | .
            inquire: unknown          | .             | .             | .           | .             | .         | .         | .         | .
            inquire: not_found        | .             | .             | submit      | .             | .         | .         | .         | .
            inquire: returned         | refund        | refund        | refund      | refund        | unmatched | unmatched | unmatched | refund
            inquire: surplus          | unmatched     | unmatched     | unmatched   | unmatched     | unmatched | unmatched | unmatched | unmatched
              after expiry: pending   | expired       | expired       | .           | .             | .         | .         | .         | .
              after expiry: not_found | expired       | expired       | submit      | .             | .         | .         | .         | .
            refund: settled           | .             | .             | .           | refund        | .         | .         | .         | .
            refund: rejected          | .             | .             | .           | refund failed | .         | .         | .         | .
            refund: pending           | .             | .             | .           | .             | .         | .         | .         | .
            refund: in_review         | .             | .             | .           | .             | .         | .         | .         | .
            refund: not_started       | .             | .             | .           | .             | .         | .         | .         | .
            refund: unknown           | .             | .             | .           | .             | .         | .         | .         | .
            refund: not_found         | .             | .             | .           | submit        | .         | .         | .         | .
            notice                    | ask           | ask           | ask         | ask           | ask       | ask       | ask       | ask
            notice, other id          | ask           | ask           | ask         | ask           | ask       | ask       | ask       | ask
            notice, asked by resubmit | ask           | ask           | ask         | ask           | ask       | ask       | ask       | ask
            """;

    private static final String CASHOUT =
            """
            cashout                   | new                | in_analysis        | in_process | paid      | refund    | denied    | canceled  | expired
            process                   | in_process, submit | .                  | .          | .         | .         | .         | .         | .
            process, remote           | in_process, submit | .                  | .          | .         | .         | .         | .         | .
            process, analysed         | in_analysis        | .                  | .          | .         | .         | .         | .         | .
            process, expired          | expired            | .                  | .          | .         | .         | .         | .         | .
            restored: process         | in_process, ask    | .                  | .          | .         | .         | .         | .         | .
            restored: process late    | in_process, ask    | .                  | .          | .         | .         | .         | .         | .
            restored: due check       | in_process, ask    | ask                | ask        | .         | .         | .         | .         | .
            restored: refund          | refused            | refused            | refused    | refused   | refused   | refused   | refused   | refused
            cancel                    | canceled           | canceled           | refused    | refused   | refused   | refused   | refused   | refused
            cancel, remote            | canceled           | canceled           | refused    | refused   | refused   | refused   | refused   | refused
              asked: settled          | unmatched          | unmatched          | paid       | .         | .         | unmatched | unmatched | unmatched
              asked: rejected         | .                  | denied             | denied     | .         | .         | .         | .         | .
              asked: pending          | .                  | .                  | .          | .         | .         | .         | .         | .
              asked: in_review        | .                  | .                  | .          | .         | .         | .         | .         | .
              asked: not_started      | .                  | in_process, submit | .          | .         | .         | .         | .         | .
              asked: unknown          | .                  | .                  | .          | .         | .         | .         | .         | .
              asked: not_found        | .                  | in_process, submit | submit     | .         | .         | .         | .         | .
            resolve paid              | refused            | refused            | ask        | refused   | refused   | refused   | refused   | refused
            resolve denied            | refused            | refused            | ask        | refused   | refused   | refused   | refused   | refused
              again: settled          | unmatched          | unmatched          | paid       | .         | .         | unmatched | unmatched | unmatched
              again: rejected         | .                  | denied             | denied     | .         | .         | .         | .         | .
              again: pending          | .                  | .                  | denied     | .         | .         | .         | .         | .
              again: in_review        | .                  | .                  | denied     | .         | .         | .         | .         | .
              again: not_started      | .                  | in_process, submit | .          | .         | .         | .         | .         | .
              again: unknown          | .                  | .                  | .          | .         | .         | .         | .         | .
              again: not_found        | .                  | in_process, submit | denied     | .         | .         | .         | .         | .
            approve                   | refused            | refused            | refused    | refused   | refused   | refused   | refused   | refused
              waiting: approve        | refused            | in_process, submit | refused    | refused   | refused   | refused   | refused   | refused
              waiting: reject         | refused            | denied             | refused    | refused   | refused   | refused   | refused   | refused
            refund                    | refused            | refused            | refused    | refused   | refused   | refused   | refused   | refused
            defend                    | refused            | refused            | refused    | refused   | refused   | refused   | refused   | refused
            sandbox pay               | refused            | paid               | paid       | refused   | refused   | refused   | refused   | refused
            sandbox deny              | denied             | denied             | denied     | refused   | refused   | refused   | refused   | refused
            sandbox analyze           | in_analysis        | refused            | refused    | refused   | refused   | refused   | refused   | refused
            sandbox expire            | expired            | refused            | refused    | refused   | refused   | refused   | refused   | refused
            sandbox refund            | refused            | refused            | refused    | refund    | refused   | refused   | refused   | refused
            due check                 | expired            | ask                | ask        | .         | .         | .         | .         | .
            submit: settled           | unmatched          | unmatched          | paid       | .         | .         | unmatched | unmatched | unmatched
            submit: rejected          | .                  | denied             | denied     | .         | .         | .         | .         | .
            submit: pending           | .                  | .                  | .          | .         | .         | .         | .         | .
            submit: in_review         | .                  | .                  | .          | .         | .         | .         | .         | .
            submit: not_started       | .                  | in_process, submit | .          | .         | .         | .         | .         | .
            submit: unknown           | .                  | .                  | .          | .         | .         | .         | .         | .
            submit: not_found         | .                  | in_process, submit | submit     | .         | .         | .         | .         | .
            inquire: settled          | unmatched          | unmatched          | paid       | .         | .         | unmatched | unmatched | unmatched
            inquire: rejected         | .                  | denied             | denied     | .         | .         | .         | .         | .
            inquire: pending          | .                  | .                  | .          | .         | .         | .         | .         | .
            inquire: in_review        | .                  | .                  | .          | .         | .         | .         | .         | .
            inquire: not_started      | .                  | in_process, submit | .          | .         | .         | .         | .         | .
            inquire: unknown          | .                  | .                  | .          | .         | .         | .         | .         | .
            inquire: not_found        | .                  | in_process, submit | submit     | .         | .         | .         | .         | .
            inquire: returned         | unmatched          | unmatched          | refund     | refund    | unmatched | unmatched | unmatched | unmatched
            inquire: surplus          | unmatched          | unmatched          | unmatched  | unmatched | unmatched | unmatched | unmatched | unmatched
              after expiry: pending   | .                  | .                  | .          | .         | .         | .         | .         | .
              after expiry: not_found | .                  | in_process, submit | submit     | .         | .         | .         | .         | .
            refund: settled           | .                  | .                  | .          | .         | .         | .         | .         | .
            refund: rejected          | .                  | .                  | .          | .         | .         | .         | .         | .
            refund: pending           | .                  | .                  | .          | .         | .         | .         | .         | .
            refund: in_review         | .                  | .                  | .          | .         | .         | .         | .         | .
            refund: not_started       | .                  | .                  | .          | .         | .         | .         | .         | .
            refund: unknown           | .                  | .                  | .          | .         | .         | .         | .         | .
            refund: not_found         | .                  | .                  | .          | .         | .         | .         | .         | .
            notice                    | ask                | ask                | ask        | ask       | ask       | ask       | ask       | ask
            notice, other id          | ask                | ask                | ask        | ask       | ask       | ask       | ask       | ask
            notice, asked by resubmit | unmatched          | ask                | .          | .         | .         | unmatched | unmatched | unmatched
            """;

    /** A row of the table: a command, and the state to which it is applied when that differs from the column's. */
    private record Row(
            String name,
            Function<Transaction, Transaction> state,
            Function<Transaction, TransactionCommand> command,
            RailFacts facts,
            Instant now) {

        static Row of(String name, Function<Transaction, TransactionCommand> command) {
            return new Row(name, Function.identity(), command, BY_ID, NOW);
        }

        static Row later(String name, Function<Transaction, TransactionCommand> command) {
            return new Row(name, Function.identity(), command, BY_ID, EXPIRY);
        }

        Decision decide(Transaction column) {
            Transaction before = state.apply(column);
            return Situations.decide(before, command.apply(before), facts, now);
        }
    }

    @Test
    void everyCommandOnACashin() {
        assertThat(table(Operation.CASHIN)).isEqualTo(CASHIN);
    }

    @Test
    void everyCommandOnACashout() {
        assertThat(table(Operation.CASHOUT)).isEqualTo(CASHOUT);
    }

    @ParameterizedTest
    @EnumSource
    void theMovesOfTheTableAreThoseThatTheStatusMachineAllows(Operation operation) {
        Set<String> made = new TreeSet<>();
        for (Row row : rows()) {
            for (Transaction column : columns(operation)) {
                addMoves(row.decide(column).after(), row.state.apply(column), made);
            }
        }

        assertThat(made).isEqualTo(allowed(operation));
    }

    @Test
    void theRowsHaveEveryCommandAndEveryOutcome() {
        Transaction transaction = Situations.created(Operation.CASHIN);
        Set<Class<?>> commands = new LinkedHashSet<>();
        Set<Class<?>> actions = new LinkedHashSet<>();
        Set<Class<?>> outcomes = new LinkedHashSet<>();
        for (Row row : rows()) {
            TransactionCommand command = row.command.apply(transaction);
            commands.add(command.getClass());
            if (command instanceof TransactionCommand.Change change) {
                actions.add(change.action().getClass());
            }
            if (command instanceof TransactionCommand.RailAnswer answer) {
                outcomes.add(answer.outcome().getClass());
            }
        }

        // an announcement changes nothing, so CommandRun asks no rule about it; DisputeDecisionsTest has the other one
        commands.add(TransactionCommand.Announce.class);
        commands.add(TransactionCommand.DisputeReport.class);
        assertThat(commands).containsExactlyInAnyOrder(TransactionCommand.class.getPermittedSubclasses());
        assertThat(actions).containsExactlyInAnyOrder(ChangeAction.class.getPermittedSubclasses());
        assertThat(outcomes).containsExactlyInAnyOrder(RailOutcome.class.getPermittedSubclasses());
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        rows.add(Row.of("process", Situations::process));
        rows.add(new Row("process, remote", Function.identity(), Situations::process, REMOTE, NOW));
        rows.add(new Row("process, analysed", Function.identity(), Situations::process, ANALYSES_FIRST, NOW));
        rows.add(Row.later("process, expired", Situations::process));
        rows.add(new Row("restored: process", Function.identity(), Situations::process, RESTORED, NOW));
        rows.add(new Row("restored: process late", Function.identity(), Situations::process, RESTORED, EXPIRY));
        rows.add(new Row("restored: due check", Function.identity(), Situations::dueCheck, RESTORED, EXPIRY));
        rows.add(new Row(
                "restored: refund",
                Function.identity(),
                on -> Situations.change(on, Situations.refund(null)),
                RESTORED,
                NOW));
        rows.add(Row.of("cancel", on -> Situations.change(on, new ChangeAction.Cancel())));
        rows.add(new Row(
                "cancel, remote",
                Function.identity(),
                on -> Situations.change(on, new ChangeAction.Cancel()),
                REMOTE,
                NOW));
        for (RailOutcome outcome : Situations.outcomes()) {
            rows.add(new Row(
                    "  asked: " + outcome.code(),
                    DecisionGridTest::canceling,
                    on -> Situations.answer(on, RailCallKind.CANCEL, 1, outcome),
                    REMOTE,
                    NOW));
        }
        for (boolean moved : List.of(true, false)) {
            ChangeAction resolve = new ChangeAction.Resolve(null, moved, moved ? new Settlement("E2", NOW) : null);
            rows.add(Row.of("resolve " + resolve.target().code(), on -> Situations.change(on, resolve)));
        }
        for (RailOutcome outcome : Situations.outcomes()) {
            rows.add(new Row(
                    "  again: " + outcome.code(),
                    DecisionGridTest::resolving,
                    on -> Situations.answer(on, RailCallKind.INQUIRE, 1, outcome),
                    BY_ID,
                    NOW));
        }
        rows.add(Row.of("approve", on -> Situations.change(on, approval(true))));
        for (boolean approved : List.of(true, false)) {
            rows.add(new Row(
                    "  waiting: " + (approved ? "approve" : "reject"),
                    DecisionGridTest::waiting,
                    on -> Situations.change(on, approval(approved)),
                    BY_ID,
                    NOW));
        }
        rows.add(Row.of("refund", on -> Situations.change(on, Situations.refund(null))));
        rows.add(Row.of(
                "defend",
                on -> Situations.change(on, new ChangeAction.Defense(Dispute.id("bank", "claim-1"), "delivered"))));
        for (SandboxAction action : SandboxAction.values()) {
            rows.add(Row.of("sandbox " + action.code(), on -> Situations.sandbox(on, action)));
        }
        rows.add(Row.later("due check", Situations::dueCheck));
        for (RailCallKind call : List.of(RailCallKind.SUBMIT, RailCallKind.INQUIRE)) {
            Situations.outcomes()
                    .forEach(outcome -> rows.add(Row.of(
                            call.code() + ": " + outcome.code(), on -> Situations.answer(on, call, 1, outcome))));
        }
        rows.add(Row.of(
                "inquire: returned",
                on -> Situations.answer(on, RailCallKind.INQUIRE, 1, Situations.settledAndReturned("D1", ALL))));
        rows.add(Row.of(
                "inquire: surplus",
                on -> Situations.answer(on, RailCallKind.INQUIRE, 1, Situations.surplus(new RailOutcome.Pending()))));
        for (RailOutcome outcome : List.of(new RailOutcome.Pending(), new RailOutcome.NotFound())) {
            rows.add(Row.later(
                    "  after expiry: " + outcome.code(),
                    on -> Situations.answer(on, RailCallKind.INQUIRE, 1, EXPIRY, outcome)));
        }
        for (RailOutcome outcome : Situations.outcomes()) {
            rows.add(new Row(
                    "refund: " + outcome.code(),
                    DecisionGridTest::withRefund,
                    on -> Situations.refundAnswer(on, RailCallKind.SUBMIT, outcome),
                    BY_ID,
                    NOW));
        }
        rows.add(Row.of("notice", Situations::notice));
        rows.add(Row.of("notice, other id", on -> Situations.notice(on, "E2", null)));
        rows.add(new Row("notice, asked by resubmit", Function.identity(), Situations::notice, BY_RESUBMISSION, NOW));
        return rows;
    }

    /** A pending cashin whose rail is asked to remove the charge. */
    private static Transaction canceling(Transaction column) {
        return Context.isWaitingCashin(column)
                ? column.with(Situations.call()
                        .canceling(
                                new ChangeRef(new UUID(7, 7), null),
                                Situations.call().dueAt()))
                : column;
    }

    /** A cashout in process of which operators have decided that it is not paid. */
    private static Transaction resolving(Transaction column) {
        return column.operation() == Operation.CASHOUT && column.status() == Status.IN_PROCESS
                ? column.with(Situations.call()
                        .resolving(
                                new Resolution(new UUID(7, 7), false, null, NOW),
                                Situations.call().dueAt()))
                : column;
    }

    private static ChangeAction approval(boolean approved) {
        return new ChangeAction.Approval(approved, Source.OPERATOR, null);
    }

    /** A cashout that waits for approval in place of one that the rail analyses. */
    private static Transaction waiting(Transaction column) {
        return column.operation() == Operation.CASHOUT && column.status() == Status.IN_ANALYSIS
                ? GuardDecisions.waiting(Situations.created(Operation.CASHOUT), Situations.BEGAN)
                : column;
    }

    private static Transaction withRefund(Transaction column) {
        boolean canHaveOne = column.operation() == Operation.CASHIN && column.status() == Status.PAID;
        return canHaveOne ? Situations.withRefund(column, ALL) : column;
    }

    private static List<Transaction> columns(Operation operation) {
        Stream<Status> statuses = operation == Operation.CASHIN
                ? Stream.of(Status.PENDING, Status.IN_ANALYSIS)
                : Stream.of(Status.IN_ANALYSIS, Status.IN_PROCESS);
        return Stream.concat(
                        Stream.of(Situations.created(operation)),
                        Stream.concat(
                                        statuses,
                                        Stream.of(
                                                Status.PAID,
                                                Status.REFUND,
                                                Status.DENIED,
                                                Status.CANCELED,
                                                Status.EXPIRED))
                                .map(status -> Situations.at(operation, status)))
                .toList();
    }

    private static String cell(Transaction before, Decision decision) {
        Transaction after = decision.after();
        List<String> parts = new ArrayList<>();
        if (after.status() != before.status()) {
            parts.add(after.status().code());
        }
        newEntries(after, before).stream()
                .filter(Entry.ChangeRefused.class::isInstance)
                .forEach(entry -> parts.add("refused"));
        newEntries(after, before).stream()
                .filter(Entry.RefundFailed.class::isInstance)
                .forEach(entry -> parts.add("refund failed"));
        if (decision.railRequest() != null) {
            parts.add(
                    switch (decision.railRequest().call()) {
                        case SUBMIT -> "submit";
                        case INQUIRE -> "ask";
                        case CANCEL -> "cancel";
                    });
        }
        if (!decision.unmatched().isEmpty()) {
            parts.add("unmatched");
        }
        return parts.isEmpty() ? "." : String.join(", ", parts);
    }

    private static List<Entry> newEntries(Transaction after, Transaction before) {
        List<Entry> entries = after.history().entries();
        return entries.subList(before.history().entries().size(), entries.size());
    }

    private static void addMoves(Transaction after, Transaction before, Set<String> moves) {
        Status from = before.status();
        for (Entry entry : newEntries(after, before)) {
            Status to = entry.newStatus();
            if (to != null) {
                moves.add(from + " to " + to);
                from = to;
            }
        }
    }

    private static Set<String> allowed(Operation operation) {
        return Arrays.stream(Status.values())
                .flatMap(from -> Transition.allowed(operation, from).stream().map(to -> from + " to " + to))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String table(Operation operation) {
        List<Transaction> columns = columns(operation);
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(operation.code()));
        columns.forEach(column -> head.add(column.accepted() ? column.status().code() : "new"));
        lines.add(head);
        for (Row row : rows()) {
            List<String> line = new ArrayList<>(List.of(row.name));
            columns.forEach(column -> line.add(cell(row.state.apply(column), row.decide(column))));
            lines.add(line);
        }
        return aligned(lines);
    }

    private static String aligned(List<List<String>> lines) {
        List<Integer> widths = IntStream.range(0, lines.get(0).size())
                .mapToObj(i -> lines.stream()
                        .mapToInt(line -> line.get(i).length())
                        .max()
                        .orElse(0))
                .toList();
        return lines.stream()
                .map(line -> IntStream.range(0, line.size())
                        .mapToObj(i -> line.get(i)
                                + " ".repeat(widths.get(i) - line.get(i).length()))
                        .collect(Collectors.joining(" | "))
                        .stripTrailing())
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
