package dev.ligeiro.desk.key;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.webhook.EndpointChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that a key has done.
 *
 * @param place the id that orders the list: of the transaction, whatever was done to it later, or of the change of an endpoint
 * @param what {@code create}, {@code cancel}, {@code refund}, {@code approve}, {@code reject}, {@code sandbox}, {@code refused}, or
 *     {@code webhook_…}
 * @param detail the status that followed, or the code of a refusal
 */
public record KeyUse(
        @JsonIgnore UUID place,
        Instant at,
        String what,
        @Nullable String detail,
        @Nullable UUID transactionId,
        @Nullable UUID endpointId,
        @Nullable UUID session) {

    /** What the key has done with one transaction, the newest first. */
    static List<KeyUse> of(Transaction transaction, UUID key) {
        List<KeyUse> uses = new ArrayList<>();
        List<Entry> entries = transaction.history().entries();
        for (int i = entries.size() - 1; i >= 0; i--) {
            Entry entry = entries.get(i);
            if (entry.by() != null && entry.by().key().equals(key)) {
                UUID id = transaction.id().value();
                uses.add(new KeyUse(
                        id,
                        entry.at(),
                        i == 0 ? "create" : what(entry),
                        detail(entry),
                        id,
                        null,
                        entry.by().session()));
            }
        }
        return uses;
    }

    static KeyUse of(EndpointChange change) {
        return new KeyUse(
                change.id(), change.at(), "webhook_" + change.what(), null, null, change.endpoint(), change.session());
    }

    private static String what(Entry entry) {
        if (entry instanceof Entry.StatusChanged changed) {
            if (changed.source() == Source.SANDBOX) {
                return "sandbox";
            }
            if (changed.status() == Status.CANCELED) {
                return "cancel";
            }
            return ChangeAction.Approval.NOT_APPROVED.equals(changed.reason()) ? "reject" : "approve";
        }
        if (entry instanceof Entry.RefundRequested requested) {
            return requested.source() == Source.SANDBOX ? "sandbox" : "refund";
        }
        return "refused";
    }

    private static @Nullable String detail(Entry entry) {
        if (entry instanceof Entry.ChangeRefused refused) {
            return refused.code();
        }
        return entry instanceof Entry.StatusChanged changed ? changed.status().code() : null;
    }
}
