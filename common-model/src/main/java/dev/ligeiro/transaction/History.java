package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.ligeiro.transaction.TransactionSnapshot.StatusAt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a transaction, oldest entry first. Status, refunds and events follow from it. Immutable.
 *
 * @param entries never empty; the first is the creation
 */
public record History(@JsonValue List<Entry> entries) {

    /** Bounds the size of a transaction. The gateway checks requests too, so few of them are refused by the processor. */
    public static final int REFUSALS_MAX = 50;

    @JsonCreator
    public History {
        entries = List.copyOf(entries);
        if (entries.isEmpty() || entries.get(0).newStatus() != Status.PENDING) {
            throw new IllegalArgumentException(
                    "history: " + entries.size() + " entries (expected: first the creation)");
        }
    }

    public static History begin(Instant createdAt, @Nullable ChangeRef change) {
        return new History(
                List.of(new Entry.StatusChanged(Status.PENDING, createdAt, Source.MERCHANT, null, null, change)));
    }

    /**
     * Appends entries. Of the refused requests only the latest {@value #REFUSALS_MAX} are kept: no event announces them, and who asked
     * long ago does not wait any more.
     */
    public History with(List<? extends Entry> more) {
        List<Entry> all = new ArrayList<>(entries.size() + more.size());
        all.addAll(entries);
        all.addAll(more);
        if (more.stream().anyMatch(Entry.ChangeRefused.class::isInstance)) {
            dropOldRefusals(all);
        }
        return new History(all);
    }

    public Status status() {
        return Objects.requireNonNull(statusEntry(entries.size()).newStatus());
    }

    public Instant statusSince() {
        return statusEntry(entries.size()).at();
    }

    /** Why the transaction was denied; null if it is not denied, or without a stored reason. */
    public @Nullable String denialReason() {
        return statusEntry(entries.size()) instanceof Entry.StatusChanged changed && changed.status() == Status.DENIED
                ? changed.reason()
                : null;
    }

    /** When the latest status began, if it is the wait for an approval; otherwise null. */
    @Nullable
    Instant approvalSince() {
        return statusEntry(entries.size()) instanceof Entry.StatusChanged changed
                        && changed.status() == Status.IN_ANALYSIS
                        && changed.source() == Source.SYSTEM
                        && Transaction.APPROVAL_REQUIRED.equals(changed.reason())
                ? changed.at()
                : null;
    }

    /** The statuses so far, the oldest first. */
    public List<StatusAt> statuses() {
        List<StatusAt> statuses = new ArrayList<>(4);
        for (Entry entry : entries) {
            Status begun = entry.newStatus();
            if (begun != null) {
                statuses.add(new StatusAt(begun, entry.at()));
            }
        }
        return statuses;
    }

    /** The time at which {@code status} began for the last time, or empty. */
    public Optional<Instant> lastAt(Status status) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i).newStatus() == status) {
                return Optional.of(entries.get(i).at());
            }
        }
        return Optional.empty();
    }

    /** The sequence of the latest announced entry: the number of announced entries. */
    public int sequence() {
        return (int) entries.stream().filter(Entry::announced).count();
    }

    public Entry lastAnnounced() {
        return entries.get(announcedIndex(sequence()));
    }

    /**
     * The history up to and including announced entry {@code sequence}.
     *
     * @param sequence from 1 to {@link #sequence()}
     */
    public History asOf(int sequence) {
        int index = announcedIndex(sequence);
        return index == entries.size() - 1 ? this : new History(entries.subList(0, index + 1));
    }

    /** The status before the last announced entry; null when that is the creation. */
    public @Nullable Status previousStatus() {
        int index = announcedIndex(sequence());
        return index == 0 ? null : statusEntry(index).newStatus();
    }

    public List<Refund> refunds() {
        Map<RefundId, Refund.State> ends = new HashMap<>();
        for (Entry entry : entries) {
            if (entry instanceof Entry.RefundMade made) {
                ends.put(made.refund(), Refund.State.REFUNDED);
            } else if (entry instanceof Entry.RefundFailed failed) {
                ends.put(failed.refund(), Refund.State.FAILED);
            }
        }
        return entries.stream()
                .flatMap(entry -> entry instanceof Entry.RefundRequested requested
                        ? Stream.of(
                                Refund.of(requested, ends.getOrDefault(requested.refund(), Refund.State.PROCESSING)))
                        : Stream.<Refund>empty())
                .toList();
    }

    /** The disputes, the oldest first. */
    public List<Dispute> disputes() {
        Map<UUID, Dispute> disputes = new LinkedHashMap<>();
        for (Entry entry : entries) {
            if (entry instanceof Entry.DisputeOpened opened) {
                disputes.put(opened.dispute(), Dispute.of(opened));
            } else if (entry instanceof Entry.DisputeUpdated updated) {
                disputes.computeIfPresent(updated.dispute(), (id, dispute) -> dispute.after(updated));
            } else if (entry instanceof Entry.DisputeClosed closed) {
                disputes.computeIfPresent(closed.dispute(), (id, dispute) -> dispute.after(closed));
            }
        }
        return List.copyOf(disputes.values());
    }

    public Optional<Dispute> dispute(UUID id) {
        return disputes().stream().filter(dispute -> dispute.id().equals(id)).findFirst();
    }

    /** The defences that the rail has neither got nor refused, the oldest first. */
    public List<Entry.DefenseRequested> openDefenses() {
        List<Entry.DefenseRequested> open = List.of();
        for (Entry entry : entries) {
            if (entry instanceof Entry.DefenseRequested requested) {
                open = Stream.concat(open.stream(), Stream.of(requested)).toList();
            } else if (!open.isEmpty() && entry.changeId() != null) {
                open = open.stream()
                        .filter(defense -> !defense.change().id().equals(entry.changeId()))
                        .toList();
            }
        }
        return open;
    }

    /** The latest of what a rail said about a payment, or empty. */
    public Optional<Settlement> settlement() {
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i) instanceof Entry.StatusChanged changed && changed.settlement() != null) {
                return Optional.of(changed.settlement());
            }
        }
        return Optional.empty();
    }

    /** Who has paid, as the rail has named them last; empty if it has not. */
    public Optional<Payer> payer() {
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i) instanceof Entry.PayerNamed named) {
                return Optional.of(named.payer());
            }
            if (entries.get(i) instanceof Entry.StatusChanged changed && changed.settlement() != null) {
                return Optional.ofNullable(changed.settlement().payer());
            }
        }
        return Optional.empty();
    }

    /** Whether another than the transaction's document has paid. */
    public boolean hasPayerMismatch() {
        return entries.stream().anyMatch(Entry.PayerMismatch.class::isInstance);
    }

    /** With the refusal of a defence goes its request, which would look open without it. */
    private static void dropOldRefusals(List<Entry> all) {
        List<Entry> refusals =
                all.stream().filter(Entry.ChangeRefused.class::isInstance).toList();
        for (Entry oldest : refusals.subList(0, Math.max(0, refusals.size() - REFUSALS_MAX))) {
            all.remove(oldest);
            all.removeIf(entry -> entry instanceof Entry.DefenseRequested defense
                    && defense.change().id().equals(oldest.changeId()));
        }
    }

    private Entry statusEntry(int before) {
        for (int i = before - 1; i > 0; i--) {
            if (entries.get(i).newStatus() != null) {
                return entries.get(i);
            }
        }
        return entries.get(0);
    }

    private int announcedIndex(int sequence) {
        int seen = 0;
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).announced() && ++seen == sequence) {
                return i;
            }
        }
        throw new IllegalArgumentException("sequence: " + sequence + " (expected: 1 to " + seen + ")");
    }
}
