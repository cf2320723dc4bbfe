package dev.ligeiro.processor.resolve;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.apply.RecordPublisher;
import dev.ligeiro.processor.apply.TransactionBatchStore;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.decide.RecordedPayment;
import dev.ligeiro.processor.decide.RecordedPayment.Resolved;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Assigns, credits, keeps or returns what is left of an unmatched payment. The rail is asked whether it is still there before anything is
 * written, and what was moved back of it; then the record of the payment says what becomes of the rest, and the books are told. What the rail
 * moves back later is recorded too, and taken from where the payment has gone. Ids and times of what the books are told follow from the record.
 */
@Component
class ResolveUnmatchedPayments {

    private final UnmatchedPaymentStore store;
    private final TransactionBatchStore transactions;
    private final AskAboutPayment ask;
    private final RecordPublisher books;
    private final Clock clock;

    ResolveUnmatchedPayments(
            UnmatchedPaymentStore store,
            TransactionBatchStore transactions,
            AskAboutPayment ask,
            RecordPublisher books,
            Clock clock) {
        this.store = store;
        this.transactions = transactions;
        this.ask = ask;
        this.books = books;
        this.clock = clock;
    }

    /**
     * What follows: a command to send, or the end of the decision.
     *
     * @param command null for none
     * @param ended confirmed if the decision has not ended
     */
    record Step(TransactionCommand.@Nullable Change command, ResolutionState ended) {

        static Step end(ResolutionState state) {
            return new Step(null, state);
        }
    }

    Mono<Step> step(ConfirmedResolution resolution, String paymentId) {
        return store.find(paymentId)
                .flatMap(payment -> own(payment).flatMap(own -> step(resolution, payment, own.orElse(null))))
                .defaultIfEmpty(Step.end(ResolutionState.OUTDATED));
    }

    private Mono<Step> step(ConfirmedResolution resolution, RecordedPayment payment, @Nullable Transaction own) {
        Resolved done = payment.resolved();
        if (done != null) {
            return done.resolution().equals(resolution.id())
                    ? books.bookEvents(payment.bookEvents(own)).thenReturn(Step.end(ResolutionState.APPLIED))
                    : Mono.just(Step.end(ResolutionState.OUTDATED));
        }
        return switch (resolution.decision()) {
            case ASSIGN -> assign(resolution, payment, own);
            case RETURN -> sendBack(resolution, payment, own);
            default -> whileThere(payment, own, found -> write(resolution, found, own, found.left()));
        };
    }

    /** The record says so only when the rail has said it; until then the decision stays confirmed. */
    private Mono<Step> sendBack(ConfirmedResolution resolution, RecordedPayment payment, @Nullable Transaction own) {
        return ask.readSentBack(payment.payment(), resolution.id()).flatMap(sent -> {
            if (sent.outcome() instanceof RailOutcome.Settled) {
                return write(resolution, payment, own, sent.amount());
            }
            return sent.outcome() instanceof RailOutcome.NotFound
                    ? whileThere(payment, own, found -> orderBack(resolution, found, own))
                    : Mono.just(underWay(sent.outcome()));
        });
    }

    private Mono<Step> orderBack(ConfirmedResolution resolution, RecordedPayment payment, @Nullable Transaction own) {
        Amount left = payment.left();
        if (left == null || left.equals(Amount.ZERO)) {
            return write(resolution, payment, own, left);
        }
        return ask.sendBack(payment.payment(), resolution.id(), left).map(ResolveUnmatchedPayments::underWay);
    }

    private static Step underWay(RailOutcome outcome) {
        return Step.end(
                outcome instanceof RailOutcome.Rejected ? ResolutionState.REFUSED_BY_RAIL : ResolutionState.CONFIRMED);
    }

    /** The cashin becomes paid by a command. Only when its history has the payment, the record says so. */
    private Mono<Step> assign(ConfirmedResolution resolution, RecordedPayment payment, @Nullable Transaction own) {
        UnmatchedPayment unmatched = payment.payment();
        TransactionCommand.Change command = resolution.command(new Settlement(unmatched.endToEndId(), unmatched.at()));
        return transactions.load(List.of(command), 1).flatMap(loaded -> {
            Optional<Transaction> cashin = loaded.find(command.transactionId());
            Optional<ResolutionState> outcome =
                    cashin.isEmpty() ? Optional.of(ResolutionState.OUTDATED) : cashin.flatMap(resolution::outcome);
            if (outcome.isEmpty()) {
                return whileThere(
                        payment,
                        own,
                        found -> Mono.just(
                                // a cashin is paid by all of its amount
                                found.returned().isEmpty()
                                        ? new Step(command, ResolutionState.CONFIRMED)
                                        : Step.end(ResolutionState.OUTDATED)));
            }
            return outcome.get() == ResolutionState.APPLIED
                    ? write(resolution, payment, own, unmatched.amount())
                    : Mono.just(Step.end(ResolutionState.OUTDATED));
        });
    }

    /** @param next gets the payment with all that was moved back of it */
    private Mono<Step> whileThere(
            RecordedPayment payment, @Nullable Transaction own, Function<RecordedPayment, Mono<Step>> next) {
        return ask.find(payment, own).flatMap(found -> {
            if (!found.isThere()) {
                return Mono.just(Step.end(ResolutionState.OUTDATED));
            }
            if (found.isMoving()) {
                return Mono.error(new RailFault("devolucoes: one is under way (expected: none)"));
            }
            return withReturned(payment, found.returned()).flatMap(next);
        });
    }

    private Mono<RecordedPayment> withReturned(RecordedPayment payment, List<RailOutcome.Returned> returned) {
        List<RailOutcome.Returned> added = returned.stream()
                .filter(one -> !one.amount().equals(Amount.ZERO) && !payment.hasReturned(one.id()))
                .toList();
        return added.isEmpty()
                ? Mono.just(payment)
                : store.addReturned(payment, added, Instant.ofEpochMilli(clock.millis()))
                        .filter(after -> added.stream().allMatch(one -> after.hasReturned(one.id())))
                        .switchIfEmpty(Mono.error(() -> new RailFault("payment: changed meanwhile (expected: not)")));
    }

    /**
     * Asks the rail what it has moved back of a payment about which no decision is under way, records it and tells the books.
     *
     * @return for an assigned payment the report to the cashin that it has paid: there it is a refund. Then call {@link #returnsDone}
     */
    Mono<Optional<TransactionCommand>> readReturns(RecordedPayment payment) {
        return own(payment).flatMap(named -> {
            Transaction own = named.orElse(null);
            return ask.find(payment, own).flatMap(found -> withReturned(payment, found.returned())
                    .flatMap(after ->
                            books.bookEvents(after.bookEvents(own)).thenReturn(report(after, found.returned()))));
        });
    }

    Mono<Void> returnsDone(RecordedPayment payment) {
        return store.returnsRead(payment);
    }

    private Optional<TransactionCommand> report(RecordedPayment payment, List<RailOutcome.Returned> returned) {
        Resolved resolved = payment.resolved();
        long cents = returned.stream().mapToLong(one -> one.amount().cents()).sum();
        if (resolved == null || resolved.decision() != ResolutionDecision.ASSIGN || cents == 0) {
            return Optional.empty();
        }
        UnmatchedPayment unmatched = payment.payment();
        TransactionCommand.RailNotice report = new TransactionCommand.RailNotice(
                resolved.transaction(), unmatched.rail(), unmatched.endToEndId(), null, new Amount(cents));
        return Optional.of(report.sentAt(clock.instant()));
    }

    private Mono<Step> write(
            ConfirmedResolution resolution, RecordedPayment payment, @Nullable Transaction own, @Nullable Amount left) {
        Resolved resolved = new Resolved(
                resolution.id(),
                resolution.decision(),
                resolution.tenant(),
                Objects.requireNonNullElse(
                        resolution.transactionId(), payment.payment().transactionId()),
                left,
                Instant.ofEpochMilli(clock.millis()));
        return store.resolve(payment, resolved)
                .flatMap(stored -> stored.resolved() == null
                        // more was moved back meanwhile: the next round begins again
                        ? Mono.just(Step.end(ResolutionState.CONFIRMED))
                        : step(resolution, stored, own))
                .defaultIfEmpty(Step.end(ResolutionState.OUTDATED));
    }

    /** The transaction that the rail has named; empty if it is not stored. */
    private Mono<Optional<Transaction>> own(RecordedPayment payment) {
        return transactions
                .load(List.of(payment.report()), 1)
                .map(loaded -> loaded.find(payment.payment().transactionId()));
    }
}
