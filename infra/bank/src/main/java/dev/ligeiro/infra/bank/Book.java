package dev.ligeiro.infra.bank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Everything that the bank knows, in memory and in a journal. One change at a time; a change is whole or not at all, and on disk
 * before anybody is told of it. Its fields are read only inside {@link #read} and {@link #write}.
 */
final class Book implements AutoCloseable {

    static final JsonMapper JSON = new JsonMapper();

    private static final TypeReference<List<Stored>> LINE = new TypeReference<>() {};
    private static final ObjectWriter WRITER = JSON.writerFor(LINE);
    private static final ObjectReader READER = JSON.readerFor(LINE);
    /** The oldest injected faults are forgotten above this number. */
    private static final int INJECTED_MAX = 100_000;

    final Map<Long, Stored.Location> locations = new HashMap<>();
    final Map<String, Stored.Location> locationsByUrl = new HashMap<>();
    final Map<String, Stored.Charge> charges = new LinkedHashMap<>();
    final Map<String, Stored.Payment> payments = new HashMap<>();
    final NavigableMap<String, Stored.Payment> paymentsByTime = new TreeMap<>();
    final Map<String, List<Stored.Payment>> paymentsByTxid = new HashMap<>();
    final Map<String, Map<String, Stored.Repayment>> refunds = new HashMap<>();
    final Map<String, Stored.Claim> claims = new LinkedHashMap<>();
    final Map<String, Stored.Send> sends = new LinkedHashMap<>();
    final Map<String, Stored.Webhook> webhooks = new HashMap<>();
    final List<Stored.Moved> ledger = new ArrayList<>();
    final List<Stored.Injected> injected = new ArrayList<>();
    private volatile Stored.@Nullable FaultPlan faultPlan;

    private final Set<String> moved = new HashSet<>();
    private final Journal journal;

    /** @param file is created if it is missing */
    Book(Path file) {
        try {
            journal = Journal.open(
                    file, line -> READER.<List<Stored>>readValue(line).forEach(this::apply));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What changes together. */
    static final class Change {

        private final List<Stored> stored = new ArrayList<>();

        <T extends Stored> T put(T object) {
            stored.add(object);
            return object;
        }
    }

    /** Nothing changes when {@code work} throws. What it puts is not visible to itself. */
    <T> T write(Function<Change, T> work) {
        T result;
        long end;
        synchronized (this) {
            Change change = new Change();
            result = work.apply(change);
            if (!change.stored.isEmpty()) {
                change.stored.forEach(this::refuseSecondMove);
                journal.append(WRITER.writeValueAsString(change.stored));
                change.stored.forEach(this::apply);
            }
            end = journal.end();
        }
        journal.force(end);
        return result;
    }

    /** Also waits for the disk, so that no answer tells what a crash could undo. */
    <T> T read(Supplier<T> work) {
        return write(change -> work.get());
    }

    static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    /** May be read anywhere. */
    Stored.@Nullable FaultPlan faultPlan() {
        return faultPlan;
    }

    Collection<Stored.Repayment> refundsOf(String e2eId) {
        return refunds.getOrDefault(e2eId, Map.of()).values();
    }

    /** A key of {@link #paymentsByTime}: all payments of {@code at} come after it and before {@code timeKey(at + 1 ms, "")}. */
    static String timeKey(Instant at, String e2eId) {
        return String.format("%016d", at.toEpochMilli()) + e2eId;
    }

    private void refuseSecondMove(Stored object) {
        if (object instanceof Stored.Moved entry && moved.contains(moveId(entry))) {
            throw new IllegalStateException("this money has moved before: " + moveId(entry));
        }
    }

    private static String moveId(Stored.Moved entry) {
        return entry.direction().equals("out")
                ? "out " + entry.id()
                : entry.direction() + " " + entry.id() + " " + entry.e2eId();
    }

    private void apply(Stored object) {
        if (object instanceof Stored.Location location) {
            locations.put(location.id(), location);
            locationsByUrl.put(location.url(), location);
        } else if (object instanceof Stored.Charge charge) {
            charges.put(charge.txid(), charge);
        } else if (object instanceof Stored.Payment payment) {
            payments.put(payment.e2eId(), payment);
            paymentsByTime.put(timeKey(payment.at(), payment.e2eId()), payment);
            if (payment.txid() != null) {
                paymentsByTxid
                        .computeIfAbsent(payment.txid(), id -> new ArrayList<>())
                        .add(payment);
            }
        } else if (object instanceof Stored.Repayment refund) {
            refunds.computeIfAbsent(refund.e2eId(), id -> new LinkedHashMap<>()).put(refund.id(), refund);
        } else if (object instanceof Stored.Claim claim) {
            claims.put(claim.id(), claim);
        } else if (object instanceof Stored.Send send) {
            sends.put(send.id(), send);
        } else if (object instanceof Stored.Webhook webhook) {
            webhooks.put(webhook.key(), webhook);
        } else if (object instanceof Stored.Moved entry) {
            ledger.add(entry);
            moved.add(moveId(entry));
        } else if (object instanceof Stored.FaultPlan plan) {
            faultPlan = plan;
        } else if (object instanceof Stored.Injected fault) {
            if (injected.size() == INJECTED_MAX) {
                injected.subList(0, INJECTED_MAX / 10).clear();
            }
            injected.add(fault);
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            journal.close();
        }
    }
}
