package dev.ligeiro.infra.loadtest;

import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * Compares the responses and webhooks with the stored transactions. Each created transaction must be stored exactly once, with the id
 * of its response, its reference and extra and a history without a gap, and its webhooks must have arrived. Nothing else may be
 * stored. Pure: takes one stored transaction after the other, then returns the result.
 */
final class Audit {

    private final CallJournal journal;
    private final boolean processed;
    private final RunFaults faults;
    private final BitSet found = new BitSet();
    private long webhooks;

    /**
     * @param calls made, those of warm-up and drain included
     * @param answered calls with a correct response
     * @param created answered calls that created a transaction
     * @param stored transactions found in MongoDB
     * @param webhooks expected, received and verified; each counts once
     * @param faults a line for each kind of fault; a run that counts has none
     */
    record Result(long calls, long answered, long created, long stored, long webhooks, List<String> faults) {

        boolean passed() {
            return faults.isEmpty() && answered == calls;
        }
    }

    /** @param processed whether a processor ran; without one every transaction must still be as it was created */
    Audit(CallJournal journal, boolean processed, RunFaults faults) {
        this.journal = journal;
        this.processed = processed;
        this.faults = faults;
    }

    /** Compares one of the merchant's stored transactions with its call. */
    void take(Transaction stored) {
        int number = journal.identifiers().number(reference(stored));
        if (number < 0 || number >= journal.size() || !journal.isAnswered(number)) {
            faults.add("stored without a response", stored + " " + reference(stored));
            return;
        }
        if (found.get(number)) {
            faults.add("stored twice", stored + " " + reference(stored));
            return;
        }
        found.set(number);
        compare(number, stored);
    }

    /** Looks for missing transactions and webhooks. Call it when every stored transaction has been taken. */
    Result finish() {
        long created = 0;
        long answered = 0;
        for (int number = 0; number < journal.size(); number++) {
            answered += journal.isAnswered(number) ? 1 : 0;
            if (journal.call(number).creates() && journal.isAnswered(number)) {
                created++;
                requireFound(number);
                requireWebhooks(number);
            }
        }
        return new Result(journal.size(), answered, created, found.cardinality(), webhooks, faults.lines());
    }

    private void compare(int number, Transaction stored) {
        if (!stored.id().value().equals(journal.id(number))) {
            faults.add("stored under another id than in the response", stored.toString());
        }
        if (!journal.identifiers().extra(number).equals(stored.terms().extra())) {
            faults.add(
                    "stored with a wrong extra", stored + " " + stored.terms().extra());
        }
        if (processed && !stored.accepted()) {
            faults.add("never accepted by the processor", stored.toString());
        }
        List<Status> expected = processed ? journal.call(number).history() : List.of(Status.PENDING);
        if (!hasHistory(stored, expected)) {
            faults.add(
                    "stored with a wrong history", stored + " " + statuses(stored) + " (expected: " + expected + ")");
        }
    }

    private static boolean hasHistory(Transaction stored, List<Status> expected) {
        return statuses(stored).equals(expected) && stored.history().sequence() == expected.size();
    }

    private static List<Status> statuses(Transaction stored) {
        return stored.history().statuses().stream()
                .map(TransactionSnapshot.StatusAt::status)
                .toList();
    }

    private static String reference(Transaction stored) {
        return Objects.requireNonNullElse(stored.terms().reference(), "");
    }

    private void requireFound(int number) {
        if (!found.get(number)) {
            faults.add("in a response but not stored", journal.identifiers().reference(number));
        }
    }

    private void requireWebhooks(int number) {
        Call call = journal.call(number);
        int bits = journal.webhookBits(number);
        int expected = processed ? call.webhookBits() : 0;
        webhooks += Integer.bitCount(bits);
        if (bits != expected) {
            faults.add(
                    "webhooks missing",
                    journal.identifiers().reference(number) + " has " + Integer.toBinaryString(bits));
        } else if (bits != 0 && !journal.webhooksAgree(number)) {
            faults.add(
                    "webhook with another transaction id than the response",
                    journal.identifiers().reference(number));
        }
    }
}
