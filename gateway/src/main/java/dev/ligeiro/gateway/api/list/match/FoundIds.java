package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ids that a walk has found, the highest first, and why it has ended. */
sealed interface FoundIds {

    List<TransactionId> ids();

    /** Matches with lower ids have not been looked for; null: there are none. */
    @Nullable
    TransactionId reached();

    /** As many ids as requested, at least one. */
    record FullPage(List<TransactionId> ids) implements FoundIds {

        @Override
        public TransactionId reached() {
            return ids.get(ids.size() - 1);
        }
    }

    /** All ids that match, fewer than requested. */
    record AllMatches(List<TransactionId> ids) implements FoundIds {

        @Override
        public @Nullable TransactionId reached() {
            return null;
        }
    }

    /** Fewer ids than requested, because the walk has read as many keys as it may. */
    record GaveUp(List<TransactionId> ids, TransactionId reached) implements FoundIds {}
}
