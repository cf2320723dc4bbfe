package dev.ligeiro.gateway.api.list;

import dev.ligeiro.store.ArchivedCount;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a tenant to which all terms apply, whenever they were created. Equal filters have their terms in the same
 * order.
 *
 * @param terms none: all transactions match
 */
record Filter(Tenant tenant, List<Term> terms) {

    Filter {
        terms = terms.stream()
                .distinct()
                .sorted(Comparator.comparing(Term::key))
                .toList();
    }

    /** A text that is equal for equal filters of a tenant. It contains hashes, but no personal data. */
    String key() {
        return terms.stream().map(Term::key).collect(Collectors.joining(" "));
    }

    /** Whether the transaction is the tenant's and all terms apply to it. */
    boolean matches(Transaction transaction) {
        return transaction.tenant().equals(tenant) && terms.stream().allMatch(term -> term.appliesTo(transaction));
    }

    /**
     * Whether archived transactions of this kind match. They have no personal data, so none match a name, a document, a phone or a Pix key. Not
     * for a filter with amounts.
     */
    boolean matches(ArchivedCount archived) {
        return terms.stream().allMatch(term -> term.appliesTo(archived));
    }

    /** Whether a transaction that matches may cease to match, and another one begin to. */
    boolean hasStatus() {
        return status().isPresent();
    }

    Optional<Status> status() {
        return terms.stream()
                .filter(OfStatus.class::isInstance)
                .map(term -> ((OfStatus) term).status())
                .findFirst();
    }

    /** Whether it is one of endlessly many that a merchant may ask for, however few transactions it has. */
    boolean hasAmounts() {
        return checked().filter(OfFields::hasAmounts).isPresent();
    }

    /** Whether the keys of one index answer the whole filter. */
    boolean isOneTerm() {
        return terms.size() <= 1 && checked().isEmpty();
    }

    /** The terms that have an index, at least one: ids are read by the rarest of them, and looked up in the others. */
    List<Term> indexed() {
        List<Term> indexed =
                terms.stream().filter(term -> !(term instanceof OfFields)).toList();
        return indexed.isEmpty() ? List.of(OfAll.ALL) : indexed;
    }

    /** The term without an index, which is checked last. */
    Optional<OfFields> checked() {
        return terms.stream()
                .filter(OfFields.class::isInstance)
                .map(OfFields.class::cast)
                .findFirst();
    }

    /** These terms, and then the one that is checked. */
    List<Term> withChecked(Stream<Term> indexed) {
        return Stream.concat(indexed, checked().stream()).toList();
    }

    /** Whether one range of an index has all matches in the order of their ids. Tokens have a range for each day. */
    boolean isOneRange() {
        return isOneTerm() && !(onlyTerm() instanceof OfTokens);
    }

    /** Whether all matches are in one range of an index, among documents that must be checked. */
    boolean isCheckedRange() {
        return checked().isPresent() && indexed().size() == 1 && !(indexed().get(0) instanceof OfTokens);
    }

    /** Null if there is none. */
    @Nullable
    Term onlyTerm() {
        return terms.isEmpty() ? null : terms.get(0);
    }

    /** A condition that the keys of one index answer: an index on {@code (tenant, value, _id)}; but {@link OfFields}. */
    sealed interface Term {

        /** A text that is equal for equal terms. It contains hashes, but no personal data. */
        String key();

        boolean appliesTo(Transaction transaction);

        /** Without regard to amounts. */
        boolean appliesTo(ArchivedCount archived);

        static Term token(long token) {
            return anyToken(List.of(token));
        }

        /** @param alternatives search tokens, of which a transaction has at most one */
        static Term anyToken(Collection<Long> alternatives) {
            return new OfTokens(List.copyOf(alternatives));
        }
    }

    record OfStatus(Status status) implements Term {

        @Override
        public String key() {
            return status.code();
        }

        @Override
        public boolean appliesTo(Transaction transaction) {
            return transaction.status() == status;
        }

        @Override
        public boolean appliesTo(ArchivedCount archived) {
            return archived.status() == status;
        }
    }

    /** All transactions of the tenant. */
    enum OfAll implements Term {
        ALL;

        @Override
        public String key() {
            return "all";
        }

        @Override
        public boolean appliesTo(Transaction transaction) {
            return true;
        }

        @Override
        public boolean appliesTo(ArchivedCount archived) {
            return true;
        }
    }

    /**
     * Fields that have no index, which would cost each create: they are checked on documents, of ids that other terms have. The counts of
     * past days are cached, so their documents are read once. A filter has at most one such term.
     *
     * @param operation null for both
     * @param min the lowest amount; null for no bound
     * @param max the highest amount; null for no bound
     */
    record OfFields(@Nullable Operation operation, @Nullable Amount min, @Nullable Amount max) implements Term {

        boolean hasAmounts() {
            return min != null || max != null;
        }

        @Override
        public String key() {
            String code = operation == null ? "" : operation.code();
            return hasAmounts() ? code + "|" + bound(min) + ".." + bound(max) : code;
        }

        private static String bound(@Nullable Amount amount) {
            return amount == null ? "" : amount.toString();
        }

        @Override
        public boolean appliesTo(Transaction transaction) {
            long cents = transaction.terms().amount().cents();
            return (operation == null || transaction.operation() == operation)
                    && (min == null || cents >= min.cents())
                    && (max == null || cents <= max.cents());
        }

        @Override
        public boolean appliesTo(ArchivedCount archived) {
            return operation == null || archived.operation() == operation;
        }
    }

    /** @param alternatives of which a transaction has at most one, so that their counts can be added */
    record OfTokens(List<Long> alternatives) implements Term {

        OfTokens {
            if (alternatives.isEmpty()) {
                throw new IllegalArgumentException("alternatives: none (expected: at least 1)");
            }
            alternatives = alternatives.stream().sorted().distinct().toList();
        }

        /** The alternatives as transactions of these days have them. */
        List<Long> stored(List<Long> days) {
            return days.stream()
                    .flatMap(day -> alternatives.stream().map(token -> SearchTokens.stored(token, day)))
                    .toList();
        }

        @Override
        public String key() {
            return String.join("|", alternatives.stream().map(Long::toHexString).toList());
        }

        @Override
        public boolean appliesTo(Transaction transaction) {
            return SearchTokens.of(transaction.terms()).stream().anyMatch(alternatives::contains);
        }

        @Override
        public boolean appliesTo(ArchivedCount archived) {
            return alternatives.contains(SearchTokens.platform(archived.platform()));
        }
    }
}
