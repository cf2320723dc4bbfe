package dev.ligeiro.infra.loadtest.audit;

import dev.ligeiro.infra.loadtest.journal.Call;
import dev.ligeiro.infra.loadtest.journal.CallIdentifiers;
import dev.ligeiro.infra.loadtest.journal.CallJournal;
import dev.ligeiro.infra.loadtest.journal.RunFaults;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Transaction;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Compares the responses and webhooks with the stored transactions. Each created transaction must be stored exactly once, with the id
 * of its response, its reference and extra and a history without a gap, and its webhooks must have arrived. Nothing else may be
 * stored. Pure: takes one stored transaction after the other, then returns the result.
 */
public final class Audit {

    private final CallJournal journal;
    private final CallIdentifiers identifiers;
    private final boolean processed;
    private final RunFaults faults;
    private final BitSet found = new BitSet();
    private long webhooks;

    /** @param processed whether a processor ran; without one every transaction must still be as it was created */
    public Audit(CallJournal journal, CallIdentifiers identifiers, boolean processed, RunFaults faults) {
        this.journal = journal;
        this.identifiers = identifiers;
        this.processed = processed;
        this.faults = faults;
    }

    /** Compares one of the merchant's stored transactions with its call. */
    public void take(Transaction stored) {
        int number = identifiers.number(Objects.requireNonNullElse(stored.reference(), ""));
        if (number < 0 || number >= journal.size() || !journal.isAnswered(number)) {
            faults.add("stored without a response", stored + " " + stored.reference());
            return;
        }
        if (found.get(number)) {
            faults.add("stored twice", stored + " " + stored.reference());
            return;
        }
        found.set(number);
        compare(number, stored);
    }

    /** Looks for missing transactions and webhooks. Call it when every stored transaction has been taken. */
    public AuditResult finish() {
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
        return new AuditResult(journal.size(), answered, created, found.cardinality(), webhooks, faults.lines());
    }

    private void compare(int number, Transaction stored) {
        if (!stored.id().value().equals(journal.id(number))) {
            faults.add("stored under another id than in the response", stored.toString());
        }
        if (!identifiers.extra(number).equals(stored.extra())) {
            faults.add("stored with a wrong extra", stored + " " + stored.extra());
        }
        if (processed && !stored.accepted()) {
            faults.add("never accepted by the processor", stored.toString());
        }
        List<Status> expected = processed ? journal.call(number).history() : List.of(Status.PENDING);
        if (!hasHistory(stored, expected)) {
            faults.add("stored with a wrong history", stored + " " + stored.events() + " (expected: " + expected + ")");
        }
    }

    private static boolean hasHistory(Transaction stored, List<Status> expected) {
        List<StatusEvent> events = stored.events();
        return events.stream().map(StatusEvent::status).toList().equals(expected)
                && stored.status() == expected.get(expected.size() - 1)
                && stored.version() == expected.size()
                && IntStream.range(0, events.size()).allMatch(i -> events.get(i).sequence() == i + 1);
    }

    private void requireFound(int number) {
        if (!found.get(number)) {
            faults.add("in a response but not stored", identifiers.reference(number));
        }
    }

    private void requireWebhooks(int number) {
        Call call = journal.call(number);
        int bits = journal.webhookBits(number);
        int expected = processed ? call.webhookBits() : 0;
        webhooks += Integer.bitCount(bits);
        if (bits != expected) {
            faults.add("webhooks missing", identifiers.reference(number) + " has " + Integer.toBinaryString(bits));
        } else if (bits != 0 && !journal.webhooksAgree(number)) {
            faults.add("webhook with another transaction id than the response", identifiers.reference(number));
        }
    }
}
