package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.util.Collection;
import java.util.List;

/** A condition that the keys of one index answer: an index on {@code (tenant, value, _id)}; but {@link OfOperation}. */
public sealed interface Term {

    /** A text that is equal for equal terms. It contains hashes, but no personal data. */
    String key();

    boolean appliesTo(Transaction transaction);

    static Term status(Status status) {
        return new OfStatus(status);
    }

    static Term token(long token) {
        return new OfTokens(List.of(token));
    }

    /** It has no index: it is checked on documents, of ids that other terms have. */
    static Term operation(Operation operation) {
        return new OfOperation(operation);
    }

    /** @param alternatives search tokens, of which a transaction has at most one */
    static Term anyToken(Collection<Long> alternatives) {
        return new OfTokens(List.copyOf(alternatives));
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
    }

    /** An index of it would cost each create; the counts of past days are cached, so their documents are read once. */
    record OfOperation(Operation operation) implements Term {

        @Override
        public String key() {
            return operation.code();
        }

        @Override
        public boolean appliesTo(Transaction transaction) {
            return transaction.operation() == operation;
        }
    }

    /** @param alternatives of which a transaction has at most one, so that their counts can be added */
    record OfTokens(List<Long> alternatives) implements Term {

        public OfTokens {
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
    }
}
