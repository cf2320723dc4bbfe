package dev.ligeiro.processor.reconcile;

import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A movement of money in a rail's list.
 *
 * @param ids the rail's id, first, and the others by which the books may know it
 * @param cents negative when it leaves the account
 * @param listedAt the time by which the list has it
 * @param transactionId as the rail names it; null if it names none
 */
record Movement(List<String> ids, long cents, Instant listedAt, @Nullable TransactionId transactionId) {

    /** The hour of the list that has it. */
    Instant listedIn() {
        return listedAt.truncatedTo(ChronoUnit.HOURS);
    }
}
