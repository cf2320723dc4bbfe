package dev.ligeiro.gateway.store;

import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.transaction.TransactionId;
import java.time.YearMonth;
import java.util.List;

/** The months of which MongoDB may lack transactions, the oldest first. */
public record Archive(List<Month> months) {

    /** @param generation see {@link ArchiveFields#GENERATION} */
    public record Month(YearMonth month, int generation) {

        public long firstMilli() {
            return ArchiveFields.firstMilli(month);
        }

        /** Exclusive. */
        public long endMilli() {
            return ArchiveFields.firstMilli(month.plusMonths(1));
        }
    }

    public Archive {
        months = List.copyOf(months);
    }

    /** Whether a transaction with this id may be away. */
    public boolean has(TransactionId id) {
        return !within(id.createdAt().toEpochMilli(), id.createdAt().toEpochMilli() + 1)
                .isEmpty();
    }

    /**
     * The months with a part in this time, in milliseconds of the epoch.
     *
     * @param beforeMilli exclusive
     */
    public List<Month> within(long fromMilli, long beforeMilli) {
        return months.stream()
                .filter(month -> month.endMilli() > fromMilli && month.firstMilli() < beforeMilli)
                .toList();
    }
}
