package dev.ligeiro.processor.decide;

import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;

/**
 * A compare-and-set of one transaction.
 *
 * @param before the expected stored transaction, as read or as carried by its command
 * @param after the new one, with zero or more additional entries and other rail calls. It is accepted, unless a request to a new
 *     transaction was refused
 * @param carried whether {@code before} comes from a command, which anyone who writes to Kafka may have sent: the stored transaction must
 *     have the same terms
 */
public record Update(Transaction before, Transaction after, boolean carried) {

    public TransactionId id() {
        return before.id();
    }

    /** The entries that {@code after} adds to the history, oldest first; none if the update is only an acceptance or a rail call. */
    public List<Entry> newEntries() {
        List<Entry> known = before.history().entries();
        List<Entry> entries = after.history().entries();
        return dropsEntries()
                ? entries.stream().filter(entry -> !known.contains(entry)).toList()
                : entries.subList(known.size(), entries.size());
    }

    /** Whether old entries are missing in {@code after}: the store must then write the whole history. */
    public boolean dropsEntries() {
        List<Entry> known = before.history().entries();
        List<Entry> entries = after.history().entries();
        int last = known.size() - 1;
        // no two entries are equal, and a dropped one moves all later ones
        return entries.size() <= last || !entries.get(last).equals(known.get(last));
    }

    /** Whether a submission follows, which must not be made twice. Only the process that wrote this update may submit. */
    public boolean takesSubmission() {
        return entersProcess() || after.railCalls().stream().anyMatch(call -> call.begun() && !isSameSubmission(call));
    }

    /** The rail call of a cashout's analysis is not a submission. */
    private boolean entersProcess() {
        return after.status() == Status.IN_PROCESS && before.status() != Status.IN_PROCESS;
    }

    private boolean isSameSubmission(RailCall call) {
        return before.railCall(call.refund())
                .filter(earlier -> earlier.begun() && earlier.submissions() == call.submissions())
                .isPresent();
    }
}
