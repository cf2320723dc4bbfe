package dev.ligeiro.processor.reconcile;

import dev.ligeiro.store.BreakKind;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A movement in which the books and a rail's list differ.
 *
 * @param ours what the books have, in cents; null for nothing
 * @param theirs what the rail has, in cents; null for nothing
 * @param at the time of the movement at the rail, otherwise in the books
 * @param postings what the books have of it
 */
record Break(
        BreakKind kind,
        String railId,
        @Nullable Long ours,
        @Nullable Long theirs,
        Instant at,
        @Nullable TransactionId transactionId,
        @Nullable Tenant tenant,
        List<Booked> postings) {

    /**
     * Of a movement in the list, under the rail's own id: it stays the same when the movement is booked under another one.
     *
     * @param elsewhere what the list has in another hour under the same id
     */
    static Break listed(BreakKind kind, List<Booked> ours, List<Movement> theirs, long elsewhere) {
        Movement first = theirs.get(0);
        return new Break(
                kind,
                first.ids().get(0),
                ours.isEmpty() ? null : sum(ours),
                theirs.stream().mapToLong(Movement::cents).sum() + elsewhere,
                first.listedAt(),
                ours.isEmpty() ? first.transactionId() : ours.get(0).transactionId(),
                ours.isEmpty() ? null : ours.get(0).tenant(),
                ours);
    }

    /** Of postings under one id, which the list does not have. */
    static Break notListed(List<Booked> ours) {
        Booked first = ours.get(0);
        return new Break(
                ours.size() == 1 ? BreakKind.MISSING_THERE : BreakKind.TWICE,
                first.railId(),
                sum(ours),
                null,
                first.at(),
                first.transactionId(),
                first.tenant(),
                ours);
    }

    private static long sum(List<Booked> postings) {
        return postings.stream().mapToLong(Booked::cents).sum();
    }
}
