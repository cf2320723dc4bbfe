package dev.ligeiro.gateway.operator.resolve;

import dev.ligeiro.gateway.api.show.TransactionStore;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.operator.resolve.ProposedResolution.Subject;
import dev.ligeiro.gateway.operator.resolve.ResolutionStore.Unmatched;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Checks whether a decision fits the state of its transaction or unmatched payment. The processor checks the transaction again: it may have changed in between.
 */
@Component
class CheckSubject {

    private final TransactionStore transactions;
    private final ResolutionStore store;
    private final Duration unknownFor;

    CheckSubject(TransactionStore transactions, ResolutionStore store, ResolutionProperties properties) {
        this.transactions = transactions;
        this.store = store;
        this.unknownFor = properties.unknownFor();
    }

    /**
     * The tenant in whose books the money is.
     *
     * @return fails with a {@link Problem}: 409 {@code not_resolvable} if it has changed, or its outcome has not been unknown for long
     *     enough
     */
    Mono<Tenant> check(Subject subject, Instant now) {
        return subject.unmatchedPayment() == null
                ? find(subject.transactionId())
                        .switchIfEmpty(Mono.error(CheckSubject::transactionNotFound))
                        .map(transaction -> unknown(subject, transaction, now))
                : payment(subject, subject.unmatchedPayment());
    }

    private Tenant unknown(Subject subject, Transaction transaction, Instant now) {
        RefundId refund = subject.refund() == null ? null : new RefundId(subject.refund());
        boolean isKnown = refund == null
                || transaction.history().refunds().stream()
                        .anyMatch(one -> one.id().equals(refund));
        if (!isKnown) {
            throw Problem.of(ProblemCode.NOT_FOUND, "The transaction has no such refund");
        }
        boolean isUnknown = (refund != null || transaction.operation() == Operation.CASHOUT)
                && ChangeRules.isResolvable(transaction, action(subject, refund));
        if (!isUnknown) {
            throw notResolvable(
                    "The outcome is known: the " + transaction.operation().code() + " is "
                            + transaction.status().code() + (refund == null ? "" : ", and the refund has ended"));
        }
        Instant since = refund == null ? transaction.history().statusSince() : requestedAt(transaction, refund);
        Instant from = since.plus(unknownFor);
        if (now.isBefore(from)) {
            throw notResolvable("The rail may still answer: this can be decided from " + from + " on")
                    .with("resolvable_at", from);
        }
        return transaction.tenant();
    }

    private static Instant requestedAt(Transaction transaction, RefundId refund) {
        return transaction.history().entries().stream()
                .filter(entry -> entry instanceof Entry.RefundRequested requested
                        && requested.refund().equals(refund))
                .findFirst()
                .orElseThrow()
                .at();
    }

    private static ChangeAction.Resolve action(Subject subject, @Nullable RefundId refund) {
        boolean moved =
                subject.decision() != ResolutionDecision.DENIED && subject.decision() != ResolutionDecision.FAILED;
        return new ChangeAction.Resolve(
                refund,
                moved,
                subject.endToEndId() == null || subject.paidAt() == null
                        ? null
                        : new Settlement(subject.endToEndId(), subject.paidAt()));
    }

    private Mono<Tenant> payment(Subject subject, String id) {
        return store.unmatched(id)
                .switchIfEmpty(Mono.error(
                        () -> Problem.of(ProblemCode.NOT_FOUND, "There is no unmatched payment with this id")))
                .flatMap(payment -> Mono.zip(
                                optional(find(payment.transactionId().value())),
                                optional(find(subject.transactionId())))
                        .map(found -> tenant(
                                subject,
                                payment,
                                found.getT1().orElse(null),
                                found.getT2().orElse(null))));
    }

    private static Mono<Optional<Transaction>> optional(Mono<Transaction> found) {
        return found.map(Optional::of).defaultIfEmpty(Optional.empty());
    }

    /**
     * @param own the transaction that the rail has named; null if it is not stored
     * @param target the one of the decision; null if it names none, or it is not stored
     */
    private static Tenant tenant(
            Subject subject, Unmatched payment, @Nullable Transaction own, @Nullable Transaction target) {
        if (payment.isResolved()) {
            throw notResolvable("Operators have decided about this payment before");
        }
        if (subject.transactionId() != null && target == null) {
            throw transactionNotFound();
        }
        boolean isElsewhere = target != null
                && (own != null && !own.tenant().equals(target.tenant())
                        || (target.tenant().mode() == Mode.TEST)
                                != payment.rail().equals(RailProperties.SIMULATOR));
        if (isElsewhere) {
            throw invalid("transaction", "expected one of the payment's merchant, mode and rail");
        }
        if (payment.amount() == null || payment.amount().equals(Amount.ZERO)) {
            if (subject.decision() != ResolutionDecision.KEEP) {
                throw invalid("decision", "expected keep: the rail has reported no amount");
            }
        } else if (subject.decision() == ResolutionDecision.ASSIGN) {
            assignable(payment, payment.amount(), own, target);
        } else if (subject.decision() == ResolutionDecision.RETURN) {
            returnable(payment, own);
        }
        Transaction ofBooks = own == null ? target : own;
        if (ofBooks == null) {
            throw invalid(
                    "transaction",
                    "expected one of the merchant in whose books the payment is kept: its own is not stored");
        }
        return ofBooks.tenant();
    }

    private static void returnable(Unmatched payment, @Nullable Transaction own) {
        if (isOutgoing(payment, own) || payment.rail().equals(RailProperties.SIMULATOR)) {
            throw invalid(
                    "decision", "expected credit or keep: only money that has come in at a bank can be sent back");
        }
    }

    private static boolean isOutgoing(Unmatched payment, @Nullable Transaction own) {
        return payment.isBack() || own != null && own.operation() == Operation.CASHOUT;
    }

    private static void assignable(
            Unmatched payment, Amount amount, @Nullable Transaction own, @Nullable Transaction target) {
        if (isOutgoing(payment, own) || target == null || target.operation() != Operation.CASHIN) {
            throw invalid(
                    "decision", "expected credit or keep: only money that has come in can be assigned, to a cashin");
        }
        if (!target.terms().rail().equals(payment.rail())) {
            throw invalid("transaction", "expected one of the payment's merchant, mode and rail");
        }
        if (!target.terms().amount().equals(amount)) {
            throw invalid("transaction", "expected one of the payment's amount, " + amount);
        }
        if (!ChangeRules.isResolvable(
                target, new ChangeAction.Resolve(null, true, new Settlement("E", Instant.EPOCH)))) {
            throw notResolvable("A cashin that is " + target.status().code() + " cannot become paid");
        }
    }

    private Mono<Transaction> find(@Nullable UUID id) {
        return id == null ? Mono.empty() : transactions.find(new TransactionId(id));
    }

    private static Problem notResolvable(String detail) {
        return Problem.of(ProblemCode.NOT_RESOLVABLE, detail);
    }

    private static Problem transactionNotFound() {
        return Problem.of(ProblemCode.TRANSACTION_NOT_FOUND, "There is no transaction with this id");
    }

    private static Problem invalid(String field, String expected) {
        return Problem.invalid(List.of(FieldError.invalid(field, expected)));
    }
}
