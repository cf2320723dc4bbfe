package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a tenant to which all terms apply, whenever they were created. Equal filters have their terms in the same
 * order.
 *
 * @param terms none: all transactions match
 */
public record Filter(Tenant tenant, List<Term> terms) {

    public Filter {
        terms = terms.stream()
                .distinct()
                .sorted(Comparator.comparing(Term::key))
                .toList();
    }

    /** A text that is equal for equal filters of a tenant. It contains hashes, but no personal data. */
    public String key() {
        return terms.stream().map(Term::key).collect(Collectors.joining(" "));
    }

    /** Whether the transaction is the tenant's and all terms apply to it. */
    public boolean matches(Transaction transaction) {
        return transaction.tenant().equals(tenant) && terms.stream().allMatch(term -> term.appliesTo(transaction));
    }

    /** Whether a transaction that matches may cease to match, and another one begin to. */
    public boolean hasStatus() {
        return status().isPresent();
    }

    Optional<Status> status() {
        return terms.stream()
                .filter(Term.OfStatus.class::isInstance)
                .map(term -> ((Term.OfStatus) term).status())
                .findFirst();
    }

    /** Whether the keys of one index answer the whole filter. */
    boolean isOneTerm() {
        return terms.size() <= 1 && checked().isEmpty();
    }

    /** The terms that have an index, at least one: ids are read by the rarest of them, and looked up in the others. */
    List<Term> indexed() {
        List<Term> indexed = terms.stream()
                .filter(term -> !(term instanceof Term.OfOperation))
                .toList();
        return indexed.isEmpty() ? List.of(Term.OfAll.ALL) : indexed;
    }

    /** The terms without an index, which are checked last. */
    List<Term> checked() {
        return terms.stream().filter(Term.OfOperation.class::isInstance).toList();
    }

    /** Whether one range of an index has all matches in the order of their ids. Tokens have a range for each day. */
    boolean isOneRange() {
        return isOneTerm() && !(onlyTerm() instanceof Term.OfTokens);
    }

    /** Null if there is none. */
    @Nullable
    Term onlyTerm() {
        return terms.isEmpty() ? null : terms.get(0);
    }
}
