package dev.ligeiro.processor.resolve;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.apply.BookEventSender;
import dev.ligeiro.processor.apply.TransactionBatchStore;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.decide.RecordedPayment;
import dev.ligeiro.processor.decide.RecordedPayment.Resolved;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Assigns, credits, keeps or returns an unmatched payment. The rail is asked whether it is still there before anything is written; then the record
 * of the payment says what becomes of it, and the books are told. Ids and times of what they are told follow from the record.
 */
@Component
class ResolveUnmatchedPayments {

    private final UnmatchedPaymentStore store;
    private final TransactionBatchStore transactions;
    private final AskAboutPayment ask;
    private final BookEventSender books;
    private final Clock clock;

    ResolveUnmatchedPayments(
            UnmatchedPaymentStore store,
            TransactionBatchStore transactions,
            AskAboutPayment ask,
            BookEventSender books,
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
                    ? books.send(payment.bookEvents(own)).thenReturn(Step.end(ResolutionState.APPLIED))
                    : Mono.just(Step.end(ResolutionState.OUTDATED));
        }
        return switch (resolution.decision()) {
            case ASSIGN -> assign(resolution, payment, own);
            case RETURN -> sendBack(resolution, payment, own);
            default -> whileThere(payment, own, Mono.defer(() -> write(resolution, payment, own)));
        };
    }

    /** The record says so only when the rail has said it; until then the decision stays confirmed. */
    private Mono<Step> sendBack(ConfirmedResolution resolution, RecordedPayment payment, @Nullable Transaction own) {
        return ask.sendBack(payment.payment(), resolution.id()).flatMap(outcome -> {
            if (outcome instanceof RailOutcome.Settled) {
                return write(resolution, payment, own);
            }
            return Mono.just(
                    outcome instanceof RailOutcome.Rejected
                            ? Step.end(ResolutionState.REFUSED_BY_RAIL)
                            : Step.end(ResolutionState.CONFIRMED));
        });
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
                return whileThere(payment, own, Mono.just(new Step(command, ResolutionState.CONFIRMED)));
            }
            return outcome.get() == ResolutionState.APPLIED
                    ? write(resolution, payment, own)
                    : Mono.just(Step.end(ResolutionState.OUTDATED));
        });
    }

    private Mono<Step> whileThere(RecordedPayment payment, @Nullable Transaction own, Mono<Step> next) {
        return ask.isThere(payment, own).flatMap(there -> there ? next : Mono.just(Step.end(ResolutionState.OUTDATED)));
    }

    private Mono<Step> write(ConfirmedResolution resolution, RecordedPayment payment, @Nullable Transaction own) {
        Resolved resolved = new Resolved(
                resolution.id(),
                resolution.decision(),
                resolution.tenant(),
                Objects.requireNonNullElse(
                        resolution.transactionId(), payment.payment().transactionId()),
                Instant.ofEpochMilli(clock.millis()));
        return store.resolve(payment.id(), resolved)
                .flatMap(stored -> step(resolution, stored, own))
                .defaultIfEmpty(Step.end(ResolutionState.OUTDATED));
    }

    /** The transaction that the rail has named; empty if it is not stored. */
    private Mono<Optional<Transaction>> own(RecordedPayment payment) {
        return transactions
                .load(List.of(payment.report()), 1)
                .map(loaded -> loaded.find(payment.payment().transactionId()));
    }
}
