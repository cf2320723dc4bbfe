package dev.ligeiro.infra.loadtest.audit;

import dev.ligeiro.infra.loadtest.ledger.Call;
import dev.ligeiro.infra.loadtest.ledger.Faults;
import dev.ligeiro.infra.loadtest.ledger.Ledger;
import dev.ligeiro.infra.loadtest.ledger.Naming;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Transaction;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds what the merchant was told against what is stored: each created transaction is there once, with the id of its answer, its
 * reference and extra, a history without a gap, and its webhooks have come. Nothing else is there. Pure: takes transactions one by
 * one, then sums up.
 */
public final class Audit {

    private final Ledger ledger;
    private final Naming naming;
    private final boolean processed;
    private final Faults faults;
    private final BitSet found = new BitSet();
    private long webhooks;

    /** @param processed whether a processor ran: without one nothing is accepted, and no more is asked */
    public Audit(Ledger ledger, Naming naming, boolean processed, Faults faults) {
        this.ledger = ledger;
        this.naming = naming;
        this.processed = processed;
        this.faults = faults;
    }

    /** Takes up one of the stored transactions of the merchant. */
    public void take(Transaction stored) {
        byte[] reference = bytes(stored.reference());
        int number = naming.number(reference, 0, reference.length);
        if (number < 0 || number >= ledger.size() || !ledger.isAnswered(number)) {
            faults.add("stored without an answer", stored + " " + stored.reference());
            return;
        }
        if (found.get(number)) {
            faults.add("stored twice", stored + " " + stored.reference());
            return;
        }
        found.set(number);
        compare(number, stored);
    }

    /** What is missing, once all that is stored has been taken up. */
    public AuditResult sumUp() {
        long created = 0;
        long answered = 0;
        for (int number = 0; number < ledger.size(); number++) {
            answered += ledger.isAnswered(number) ? 1 : 0;
            if (ledger.call(number).creates() && ledger.isAnswered(number)) {
                created++;
                requireFound(number);
                requireWebhooks(number);
            }
        }
        return new AuditResult(ledger.size(), answered, created, found.cardinality(), webhooks, faults.lines());
    }

    private void compare(int number, Transaction stored) {
        Call call = ledger.call(number);
        if (stored.id().value().getMostSignificantBits() != ledger.high(number)
                || stored.id().value().getLeastSignificantBits() != ledger.low(number)) {
            faults.add("stored under another id than answered", stored.toString());
        }
        if (!naming.extra(number).equals(stored.extra())) {
            faults.add("stored with a wrong extra", stored + " " + stored.extra());
        }
        if (processed && !stored.accepted()) {
            faults.add("never accepted by the processor", stored.toString());
        }
        List<Status> expected = processed ? call.history() : List.of(Status.PENDING);
        List<Status> history = stored.events().stream().map(StatusEvent::status).toList();
        if (!history.equals(expected)
                || stored.status() != expected.get(expected.size() - 1)
                || stored.version() != expected.size()
                || !isGapless(stored.events())) {
            faults.add("stored with a wrong history", stored + " " + stored.events() + " (expected: " + expected + ")");
        }
    }

    private static boolean isGapless(List<StatusEvent> events) {
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).sequence() != i + 1) {
                return false;
            }
        }
        return true;
    }

    private void requireFound(int number) {
        if (!found.get(number)) {
            faults.add("answered but not stored", naming.reference(number));
        }
    }

    private void requireWebhooks(int number) {
        int bits = ledger.webhookBits(number);
        int expected = processed ? ledger.call(number).webhookBits() : 0;
        webhooks += Integer.bitCount(bits);
        if (bits != expected) {
            faults.add("webhooks missing", naming.reference(number) + " has " + Integer.toBinaryString(bits));
        } else if (bits != 0 && !ledger.webhooksAgree(number)) {
            faults.add("webhook about another transaction than answered", naming.reference(number));
        }
    }

    private static byte[] bytes(@Nullable String text) {
        return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    }
}
