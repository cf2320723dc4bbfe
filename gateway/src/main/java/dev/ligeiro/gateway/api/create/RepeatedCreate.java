package dev.ligeiro.gateway.api.create;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides the answer to a create whose idempotency key or reference another transaction has. The key is checked first. */
final class RepeatedCreate {

    private RepeatedCreate() {}

    /**
     * The transaction that an earlier, equal request has created, as it was then.
     *
     * @param refused the new transaction, which was not stored
     * @param holders the tenant's transactions with the key or the reference of {@code refused}
     * @return empty when {@code holders} is empty
     * @throws Problem 422 when the key belongs to a request that was not equal, 409 when only the reference is used
     */
    static Optional<Transaction> original(Transaction refused, List<Transaction> holders) {
        String key = key(refused);
        for (Transaction holder : holders) {
            if (key != null && holder.idempotencyKeys().anyMatch(key::equals)) {
                return Optional.of(replayed(refused, holder, key));
            }
        }
        if (holders.isEmpty()) {
            return Optional.empty();
        }
        throw Problem.of(ProblemCode.REFERENCE_ALREADY_USED, "Another of your transactions has this reference")
                .with("transaction_id", holders.get(0).id());
    }

    /** The idempotency key of the request that created {@code transaction}. */
    static @Nullable String key(Transaction transaction) {
        return transaction.history().entries().get(0).idempotencyKey();
    }

    private static Transaction replayed(Transaction refused, Transaction holder, String key) {
        if (!key.equals(key(holder)) || !isSame(refused, holder)) {
            throw Problem.idempotencyKeyReused().with("transaction_id", holder.id());
        }
        return holder.asOf(1);
    }

    /**
     * Compares the values that the requests contain, not those that are generated: id, end-to-end id, commission, BR Code. A request
     * without {@code expires_in} counts as one with the default.
     */
    private static boolean isSame(Transaction one, Transaction other) {
        Terms a = one.terms();
        Terms b = other.terms();
        return one.operation() == other.operation()
                && a.amount().equals(b.amount())
                && a.payer().equals(b.payer())
                && a.description().equals(b.description())
                && a.platform().equals(b.platform())
                && Objects.equals(a.reference(), b.reference())
                && Objects.equals(a.extra(), b.extra())
                && Objects.equals(a.pixKey(), b.pixKey())
                && Objects.equals(a.returnUrl(), b.returnUrl())
                && expiresIn(one).equals(expiresIn(other));
    }

    private static Duration expiresIn(Transaction transaction) {
        return Duration.between(transaction.createdAt(), transaction.terms().expiresAt());
    }
}
