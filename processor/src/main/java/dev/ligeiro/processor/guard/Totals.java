package dev.ligeiro.processor.guard;

import dev.ligeiro.processor.decide.GuardVerdict;
import dev.ligeiro.support.FundsStore.Funds;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cashouts of a tenant that count towards its limits: amounts without commission that are reserved or not denied. A cashout keeps its
 * reservation until it ends, so that it counts once however often its command comes, and is taken off once if it is denied. Where funds are
 * checked, a paid one keeps it until it is in the balance too, so that no cent is spent twice.
 *
 * @param since the guard's {@link CashoutGuard#totalsSince}
 * @param day the latest day on which one was counted, and {@code dayCents} its sum; {@code night} is the day on which the night began
 * @param slots how many were counted in each slot of the window, by the slot's last millisecond
 * @param fundsChecked as the guard says; also for processors that know only an earlier guard
 * @param reserved the cashouts that have not ended, or are not in the balance yet
 */
record Totals(
        Instant since,
        LocalDate day,
        long dayCents,
        LocalDate night,
        long nightCents,
        Map<Long, Integer> slots,
        boolean fundsChecked,
        Map<TransactionId, Reservation> reserved) {

    /** A document then has about 600 kB. More cashouts under way wait. */
    static final int RESERVED_MAX = 5_000;

    private static final LocalTime NIGHT_BEGINS = LocalTime.of(20, 0);
    private static final LocalTime NIGHT_ENDS = LocalTime.of(6, 0);

    /** The gateway refuses the check of funds while the books are behind, so this is far more than they are. */
    private static final Duration BOOKS_BEHIND_MAX = Duration.ofDays(1);

    /** A window is counted in so many slots: the oldest one counts whole, so a limit may be 1 % too strict and never too lax. */
    private static final int SLOTS = 100;

    /**
     * @param at the time of the decision
     * @param isPaid whether only the balance lacks it
     */
    record Reservation(long cents, long commission, Instant at, boolean isPaid) {

        Reservation paid() {
            return new Reservation(cents, commission, at, true);
        }
    }

    /** How a cashout has ended. */
    enum End {
        /** It counts; money that came back frees nothing. */
        PAID,
        /** It is taken off. */
        NOT_PAID;

        /** @param status that of a cashout that has ended */
        static End of(Status status) {
            return status == Status.PAID || status == Status.REFUND ? PAID : NOT_PAID;
        }
    }

    /** @param verdicts of the cashouts that were to be reserved */
    record Reserved(Totals after, Map<TransactionId, GuardVerdict> verdicts) {}

    /** A cashout that was decided before the totals began. */
    record Decided(TransactionId id, long cents, long commission, Instant at, boolean hasEnded) {}

    static Totals none(CashoutGuard guard) {
        return new Totals(
                guard.totalsSince(), LocalDate.EPOCH, 0, LocalDate.EPOCH, 0, Map.of(), guard.fundsCheck(), Map.of());
    }

    /** From when on decisions count now: the day, the night and the window have begun then, and the books have what was before. */
    static Instant countsFrom(CashoutGuard guard, Instant now) {
        ZonedDateTime local = now.atZone(guard.zone());
        Instant from = local.toLocalDate().atStartOfDay(guard.zone()).toInstant();
        LocalDate night = nightOf(now, guard.zone());
        if (night != null) {
            from = earlier(from, night.atTime(NIGHT_BEGINS).atZone(guard.zone()).toInstant());
        }
        if (guard.fundsCheck()) {
            from = earlier(from, now.minus(BOOKS_BEHIND_MAX));
        }
        return guard.count() == null
                ? from
                : earlier(from, now.minus(guard.count().window()));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** The day on which the night of this time began; null during the day. */
    private static @Nullable LocalDate nightOf(Instant at, ZoneId zone) {
        ZonedDateTime local = at.atZone(zone);
        if (!local.toLocalTime().isBefore(NIGHT_BEGINS)) {
            return local.toLocalDate();
        }
        return local.toLocalTime().isBefore(NIGHT_ENDS) ? local.toLocalDate().minusDays(1) : null;
    }

    /**
     * Adds cashouts that were decided before, whatever the limits.
     *
     * @param posted those of them that are in the balance
     * @throws IllegalStateException if more are under way than a document holds: new ones then wait
     */
    Totals and(List<Decided> decided, Set<TransactionId> posted, CashoutGuard guard) {
        Totals totals = this;
        Map<TransactionId, Reservation> more = new HashMap<>(reserved);
        for (Decided each : decided) {
            totals = totals.counted(each.cents(), each.at(), guard);
            if (!each.hasEnded() || fundsChecked && !posted.contains(each.id())) {
                more.put(each.id(), new Reservation(each.cents(), each.commission(), each.at(), each.hasEnded()));
            }
        }
        if (more.size() > RESERVED_MAX) {
            throw new IllegalStateException("reserved: " + more.size() + " (expected: <= " + RESERVED_MAX + ")");
        }
        return totals.withReserved(more);
    }

    /**
     * Reserves those that the limits and the funds permit, in their order. One that is reserved already stays so and is not counted again. If a
     * later day has begun in these totals, they count to it: the sum of the day before is gone.
     *
     * @param funds of these totals' reservations, read after the totals; null if funds are not checked
     */
    Reserved reserve(List<Transaction> cashouts, CashoutGuard guard, @Nullable Funds funds, Instant decidedAt) {
        Instant dayBegan = day.atStartOfDay(guard.zone()).toInstant();
        Instant now = decidedAt.isBefore(dayBegan) ? dayBegan : decidedAt;
        Map<TransactionId, GuardVerdict> verdicts = new LinkedHashMap<>();
        Totals totals = funds == null ? this : withoutPosted(funds.posted());
        Map<TransactionId, Reservation> more = new HashMap<>(totals.reserved);
        long available = funds == null ? Long.MAX_VALUE : available(funds);
        for (Transaction cashout : cashouts) {
            long cents = cashout.terms().amount().cents();
            long commission = cashout.terms().commission().cents();
            if (more.containsKey(cashout.id())) {
                verdicts.put(cashout.id(), GuardVerdict.PASSED);
                continue;
            }
            GuardVerdict verdict = totals.verdict(cents, guard, now);
            if (verdict == GuardVerdict.PASSED && cents + commission > available) {
                verdict = GuardVerdict.INSUFFICIENT_FUNDS;
            }
            if (verdict == GuardVerdict.PASSED && more.size() >= RESERVED_MAX) {
                verdict = GuardVerdict.WAITS;
            }
            if (verdict == GuardVerdict.PASSED) {
                totals = totals.counted(cents, now, guard);
                more.put(cashout.id(), new Reservation(cents, commission, now, false));
                available -= cents + commission;
            }
            verdicts.put(cashout.id(), verdict);
        }
        return new Reserved(totals == this ? this : totals.withReserved(more), verdicts);
    }

    /** The balance less the reservations that are not in it. */
    private long available(Funds funds) {
        return funds.cents()
                - reserved.entrySet().stream()
                        .filter(each -> !funds.posted().contains(each.getKey()))
                        .mapToLong(each ->
                                each.getValue().cents() + each.getValue().commission())
                        .sum();
    }

    /** Ends the reservations of the paid cashouts that are in the balance. */
    Totals withoutPosted(Set<TransactionId> posted) {
        Map<TransactionId, Reservation> left = new HashMap<>(reserved);
        left.entrySet().removeIf(each -> each.getValue().isPaid() && posted.contains(each.getKey()));
        return left.size() == reserved.size() ? this : withReserved(left);
    }

    private GuardVerdict verdict(long cents, CashoutGuard guard, Instant now) {
        if (guard.count() != null
                && countedSince(now.minus(guard.count().window()))
                        >= guard.count().max()) {
            return GuardVerdict.LIMIT_COUNT;
        }
        long today = day.equals(now.atZone(guard.zone()).toLocalDate()) ? dayCents : 0;
        if (guard.dayMax() != null && exceeds(today, cents, guard.dayMax().cents())) {
            return GuardVerdict.LIMIT_DAY;
        }
        LocalDate tonight = nightOf(now, guard.zone());
        long inNight = night.equals(tonight) ? nightCents : 0;
        if (tonight != null
                && guard.nightMax() != null
                && exceeds(inNight, cents, guard.nightMax().cents())) {
            return GuardVerdict.LIMIT_NIGHT;
        }
        return GuardVerdict.PASSED;
    }

    private static boolean exceeds(long sum, long cents, long max) {
        return cents > max - sum;
    }

    private int countedSince(Instant from) {
        return slots.entrySet().stream()
                .filter(slot -> slot.getKey() > from.toEpochMilli())
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /**
     * Ends the reservations of cashouts. Those that were not paid are taken off the sums, if their day, night or window is still counted.
     * Where funds are checked, a paid one keeps its reservation until it is in the balance.
     */
    Totals end(Map<TransactionId, End> ends, CashoutGuard guard) {
        Totals totals = this;
        Map<TransactionId, Reservation> left = new HashMap<>(reserved);
        for (Map.Entry<TransactionId, End> ended : ends.entrySet()) {
            Reservation reservation = left.remove(ended.getKey());
            if (reservation != null && ended.getValue() == End.NOT_PAID) {
                totals = totals.takenOff(reservation, guard);
            } else if (reservation != null && fundsChecked) {
                left.put(ended.getKey(), reservation.paid());
            }
        }
        return left.equals(reserved) ? this : totals.withReserved(left);
    }

    private Totals counted(long cents, Instant at, CashoutGuard guard) {
        LocalDate itsDay = at.atZone(guard.zone()).toLocalDate();
        LocalDate itsNight = nightOf(at, guard.zone());
        return new Totals(
                since,
                later(day, itsDay),
                sum(day, dayCents, itsDay, cents),
                itsNight == null ? night : later(night, itsNight),
                itsNight == null ? nightCents : sum(night, nightCents, itsNight, cents),
                countedSlots(at, guard),
                fundsChecked,
                reserved);
    }

    private static LocalDate later(LocalDate one, LocalDate other) {
        return one.isBefore(other) ? other : one;
    }

    /** The sum of the later date: {@code cents} belong to {@code itsDate}. */
    private static long sum(LocalDate date, long sum, LocalDate itsDate, long cents) {
        if (itsDate.isBefore(date)) {
            return sum;
        }
        return itsDate.equals(date) ? sum + cents : cents;
    }

    private Map<Long, Integer> countedSlots(Instant at, CashoutGuard guard) {
        if (guard.count() == null) {
            return Map.of();
        }
        Map<Long, Integer> counted = new TreeMap<>(slots);
        counted.merge(slotOf(at, guard.count().window()), 1, Integer::sum);
        long outdated = at.minus(guard.count().window()).toEpochMilli();
        counted.keySet().removeIf(slot -> slot <= outdated);
        return counted;
    }

    /** The last millisecond of its slot: as long as that is in the window, the slot counts. */
    private static long slotOf(Instant at, Duration window) {
        long width = Math.max(1, window.toMillis() / SLOTS);
        return Math.floorDiv(at.toEpochMilli(), width) * width + width - 1;
    }

    private Totals takenOff(Reservation reservation, CashoutGuard guard) {
        boolean ofDay = reservation.at().atZone(guard.zone()).toLocalDate().equals(day);
        boolean ofNight = night.equals(nightOf(reservation.at(), guard.zone()));
        Map<Long, Integer> left = new TreeMap<>(slots);
        if (guard.count() != null) {
            left.computeIfPresent(
                    slotOf(reservation.at(), guard.count().window()), (slot, count) -> count == 1 ? null : count - 1);
        }
        return new Totals(
                since,
                day,
                ofDay ? dayCents - reservation.cents() : dayCents,
                night,
                ofNight ? nightCents - reservation.cents() : nightCents,
                left,
                fundsChecked,
                reserved);
    }

    private Totals withReserved(Map<TransactionId, Reservation> all) {
        return new Totals(since, day, dayCents, night, nightCents, slots, fundsChecked, all);
    }
}
