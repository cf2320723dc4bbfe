package dev.ligeiro.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The payments of a span of whole quarters of an hour, as the books have counted them.
 *
 * @param spans how many cashins were paid by {@link BalanceFields#paySpan}, counted by whole hours
 */
public record PaidFigures(
        long cashins, long cashinCents, long cashouts, long cashoutCents, TreeMap<Integer, Long> spans) {

    public static PaidFigures none() {
        return new PaidFigures(0, 0, 0, 0, new TreeMap<>());
    }

    /**
     * Those of a time.
     *
     * @param days the balances of the time's UTC days by their numbers; a day without payments may have none
     * @return null if a day was begun by a version that did not count
     */
    public static @Nullable PaidFigures of(Map<Integer, Document> days, Instant from, Instant before) {
        PaidFigures sum = none();
        for (int day = BalanceFields.day(from); day <= BalanceFields.day(before.minusMillis(1)); day++) {
            Document balance = days.get(day);
            if (balance == null) {
                continue;
            }
            if (!Boolean.TRUE.equals(balance.getBoolean(BalanceFields.COUNTED))) {
                return null;
            }
            int first = day == BalanceFields.day(from) ? BalanceFields.quarter(from) : 0;
            int end = day == BalanceFields.day(before) ? BalanceFields.quarter(before) : 96;
            sum = sum.plus(ofQuarters(balance.get(BalanceFields.PAID, new Document()), first, end));
        }
        return sum;
    }

    private static PaidFigures ofQuarters(Document paid, int first, int end) {
        TreeMap<Integer, Long> spans = new TreeMap<>();
        paid.get(BalanceFields.PAY_SPANS, new Document()).forEach((key, count) -> {
            int separator = key.indexOf('_');
            int quarter = 4 * Integer.parseInt(key.substring(0, separator));
            if (quarter >= first && quarter < end) {
                spans.merge(Integer.parseInt(key.substring(separator + 1)), ((Number) count).longValue(), Long::sum);
            }
        });
        return new PaidFigures(
                sum(paid, BalanceFields.CASHINS, first, end),
                sum(paid, BalanceFields.CASHIN_CENTS, first, end),
                sum(paid, BalanceFields.CASHOUTS, first, end),
                sum(paid, BalanceFields.CASHOUT_CENTS, first, end),
                spans);
    }

    private static long sum(Document paid, String field, int first, int end) {
        return paid.get(field, new Document()).entrySet().stream()
                .filter(one -> Integer.parseInt(one.getKey()) >= first && Integer.parseInt(one.getKey()) < end)
                .mapToLong(one -> ((Number) one.getValue()).longValue())
                .sum();
    }

    public PaidFigures plus(PaidFigures other) {
        TreeMap<Integer, Long> all = new TreeMap<>(spans);
        other.spans.forEach((span, count) -> all.merge(span, count, Long::sum));
        return new PaidFigures(
                cashins + other.cashins,
                cashinCents + other.cashinCents,
                cashouts + other.cashouts,
                cashoutCents + other.cashoutCents,
                all);
    }

    /**
     * The time from the creation of a cashin to its payment that this share of them did not exceed, in seconds; empty without one. It is exact
     * to 19 %.
     *
     * @param share above 0, at most 1; 0.5 for the median
     */
    public Optional<Double> secondsToPay(double share) {
        long all = spans.values().stream().mapToLong(count -> count).sum();
        long until = 0;
        for (Map.Entry<Integer, Long> span : spans.entrySet()) {
            until += span.getValue();
            if (until >= share * all) {
                return Optional.of(BalanceFields.paySpanSeconds(span.getKey()));
            }
        }
        return Optional.empty();
    }

    /** Those of all; null if one is. */
    public static @Nullable PaidFigures sum(List<@Nullable PaidFigures> all) {
        PaidFigures sum = none();
        for (PaidFigures one : all) {
            if (one == null) {
                return null;
            }
            sum = sum.plus(one);
        }
        return sum;
    }
}
