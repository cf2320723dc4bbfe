package dev.ligeiro.processor.guard;

import dev.ligeiro.processor.decide.GuardVerdict;
import dev.ligeiro.transaction.CashoutGuard;
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
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cashouts of a tenant that count towards its limits: amounts without commission that are reserved or not denied. A cashout keeps its
 * reservation until it ends, so that it counts once however often its command comes, and is taken off once if it is denied.
 *
 * @param since the guard's {@link CashoutGuard#totalsSince}
 * @param day the latest day on which one was counted, and {@code dayCents} its sum; {@code night} is the day on which the night began
 * @param slots how many were counted in each slot of the window, by the slot's last millisecond
 * @param reserved the cashouts that have not ended
 */
record Totals(
        Instant since,
        LocalDate day,
        long dayCents,
        LocalDate night,
        long nightCents,
        Map<Long, Integer> slots,
        Map<TransactionId, Reservation> reserved) {

    /** A document then has about 500 kB. More cashouts under way wait. */
    static final int RESERVED_MAX = 5_000;

    private static final LocalTime NIGHT_BEGINS = LocalTime.of(20, 0);
    private static final LocalTime NIGHT_ENDS = LocalTime.of(6, 0);

    /** A window is counted in so many slots: the oldest one counts whole, so a limit may be 1 % too strict and never too lax. */
    private static final int SLOTS = 100;

    /** @param at the time of the decision */
    record Reservation(long cents, Instant at) {}

    /** @param verdicts of the cashouts that were to be reserved */
    record Reserved(Totals after, Map<TransactionId, GuardVerdict> verdicts) {}

    /** A cashout that was decided before the totals began. */
    record Decided(TransactionId id, long cents, Instant at, boolean hasEnded) {}

    static Totals none(CashoutGuard guard) {
        return new Totals(guard.totalsSince(), LocalDate.EPOCH, 0, LocalDate.EPOCH, 0, Map.of(), Map.of());
    }

    /** From when on decisions count now: the day, the night and the window have begun then. */
    static Instant countsFrom(CashoutGuard guard, Instant now) {
        ZonedDateTime local = now.atZone(guard.zone());
        Instant from = local.toLocalDate().atStartOfDay(guard.zone()).toInstant();
        LocalDate night = nightOf(now, guard.zone());
        if (night != null) {
            from = earlier(from, night.atTime(NIGHT_BEGINS).atZone(guard.zone()).toInstant());
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

    /** Adds a cashout that was decided before, whatever the limits. */
    Totals and(Decided decided, CashoutGuard guard) {
        Totals counted = counted(decided.cents(), decided.at(), guard);
        if (decided.hasEnded()) {
            return counted;
        }
        Map<TransactionId, Reservation> more = new HashMap<>(counted.reserved);
        more.put(decided.id(), new Reservation(decided.cents(), decided.at()));
        return counted.withReserved(more);
    }

    /**
     * Reserves those that the limits permit, in their order. One that is reserved already stays so and is not counted again. If a later day
     * has begun in these totals, they count to it: the sum of the day before is gone.
     */
    Reserved reserve(List<Transaction> cashouts, CashoutGuard guard, Instant decidedAt) {
        Instant dayBegan = day.atStartOfDay(guard.zone()).toInstant();
        Instant now = decidedAt.isBefore(dayBegan) ? dayBegan : decidedAt;
        Map<TransactionId, GuardVerdict> verdicts = new LinkedHashMap<>();
        Totals totals = this;
        Map<TransactionId, Reservation> more = new HashMap<>(reserved);
        for (Transaction cashout : cashouts) {
            long cents = cashout.terms().amount().cents();
            GuardVerdict verdict = more.containsKey(cashout.id())
                    ? GuardVerdict.PASSED
                    : totals.verdict(cents, more.size(), guard, now);
            if (verdict == GuardVerdict.PASSED && !more.containsKey(cashout.id())) {
                totals = totals.counted(cents, now, guard);
                more.put(cashout.id(), new Reservation(cents, now));
            }
            verdicts.put(cashout.id(), verdict);
        }
        return new Reserved(totals == this ? this : totals.withReserved(more), verdicts);
    }

    private GuardVerdict verdict(long cents, int underWay, CashoutGuard guard, Instant now) {
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
        return underWay < RESERVED_MAX ? GuardVerdict.PASSED : GuardVerdict.WAITS;
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

    /** Ends the reservations of cashouts. Those that were denied are taken off the sums, if their day, night or window is still counted. */
    Totals end(Map<TransactionId, Boolean> denied, CashoutGuard guard) {
        Totals totals = this;
        Map<TransactionId, Reservation> left = new HashMap<>(reserved);
        for (Map.Entry<TransactionId, Boolean> ended : denied.entrySet()) {
            Reservation reservation = left.remove(ended.getKey());
            if (reservation != null && ended.getValue()) {
                totals = totals.takenOff(reservation, guard);
            }
        }
        return left.size() == reserved.size() ? this : totals.withReserved(left);
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
                reserved);
    }

    private Totals withReserved(Map<TransactionId, Reservation> all) {
        return new Totals(since, day, dayCents, night, nightCents, slots, all);
    }
}
