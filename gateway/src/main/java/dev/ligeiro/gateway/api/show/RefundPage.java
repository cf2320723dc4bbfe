package dev.ligeiro.gateway.api.show;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * A page of a transaction's refunds, the oldest first.
 *
 * @param next the last refund of the page; null on the last page
 */
record RefundPage(List<Refund> refunds, @Nullable RefundId next) {

    static final int REFUNDS_MAX = 100;

    private static final String AFTER = "after";
    private static final String EXPECTED = "expected the next_cursor of a page of this transaction's refunds";

    /**
     * The parameter {@code after} of a request; null for the first page.
     *
     * @throws Problem 422 with every unknown, repeated or malformed parameter
     */
    static @Nullable RefundId after(MultiValueMap<String, String> parameters) {
        QueryParameters given = new QueryParameters(parameters, Set.of(AFTER));
        RefundId after = given.parsed(AFTER, RefundPage::cursor);
        given.orThrow();
        return after;
    }

    private static RefundId cursor(String text) {
        try {
            return new RefundId(Fields.uuid(text));
        } catch (IllegalArgumentException otherwise) {
            throw new IllegalArgumentException(EXPECTED);
        }
    }

    /**
     * The refunds that follow {@code after}.
     *
     * @param all the transaction's refunds, the oldest first
     * @throws Problem 422 if {@code after} is none of them
     */
    static RefundPage of(List<Refund> all, @Nullable RefundId after) {
        int from = after == null ? 0 : all.stream().map(Refund::id).toList().indexOf(after) + 1;
        if (after != null && from == 0) {
            throw Problem.invalid(AFTER, EXPECTED);
        }
        int to = Math.min(all.size(), from + REFUNDS_MAX);
        return new RefundPage(
                all.subList(from, to), to == all.size() ? null : all.get(to - 1).id());
    }
}
