package dev.ligeiro.store;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.CashoutGuard.CountLimit;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Converts a guard to its MongoDB document and back. The gateway writes it, gateway and processor read it. */
public final class GuardDocument {

    /** The key of the tenant. */
    public static final String ID = "_id";

    /** MongoDB's time of the latest write. Processors read the guards that were changed lately. */
    public static final String CHANGED_AT = "changedAt";

    /** {@code true} until the cashouts of a new tenant are opened for the first time; then absent. A change of the guard leaves it as it is. */
    public static final String NOT_OPENED = "notOpened";

    public static final String FUNDS_CHECK = "fundsCheck";
    public static final String TOTALS_SINCE = "totalsSince";

    private static final String DAY_MAX = "dayMax";
    private static final String NIGHT_MAX = "nightMax";
    private static final String AMOUNT_MAX = "amountMax";
    private static final String APPROVAL_ABOVE = "approvalAbove";
    private static final String COUNT_MAX = "countMax";
    private static final String WINDOW_SECONDS = "windowSeconds";
    private static final String KEYS = "keys";
    private static final String DOCUMENTS = "documents";
    private static final String ZONE = "zone";

    private GuardDocument() {}

    /** All fields but the id and the time of the write; null for what is not set. */
    public static Document of(CashoutGuard guard) {
        CountLimit count = guard.count();
        return new Document(DAY_MAX, cents(guard.dayMax()))
                .append(NIGHT_MAX, cents(guard.nightMax()))
                .append(AMOUNT_MAX, cents(guard.amountMax()))
                .append(APPROVAL_ABOVE, cents(guard.approvalAbove()))
                .append(COUNT_MAX, count == null ? null : count.max())
                .append(WINDOW_SECONDS, count == null ? null : count.window().toSeconds())
                .append(FUNDS_CHECK, guard.fundsCheck())
                .append(KEYS, sorted(guard.keys()))
                .append(DOCUMENTS, sorted(guard.documents()))
                .append(ZONE, guard.zone().getId())
                .append(TOTALS_SINCE, Date.from(guard.totalsSince()));
    }

    /** @throws RuntimeException if a field is of another type, or the zone or a time is missing */
    public static CashoutGuard read(Document document) {
        Integer countMax = document.getInteger(COUNT_MAX);
        return new CashoutGuard(
                new Tenant(document.getLong(ID)),
                amount(document, DAY_MAX),
                amount(document, NIGHT_MAX),
                amount(document, AMOUNT_MAX),
                amount(document, APPROVAL_ABOVE),
                countMax == null
                        ? null
                        : new CountLimit(countMax, Duration.ofSeconds(document.getLong(WINDOW_SECONDS))),
                document.getBoolean(FUNDS_CHECK, false),
                set(document, KEYS),
                set(document, DOCUMENTS),
                ZoneId.of(document.getString(ZONE)),
                document.getDate(TOTALS_SINCE).toInstant());
    }

    /** MongoDB's time of the latest write. */
    public static Instant changedAt(Document document) {
        return Objects.requireNonNull(document.getDate(CHANGED_AT)).toInstant();
    }

    private static @Nullable Long cents(@Nullable Amount amount) {
        return amount == null ? null : amount.cents();
    }

    private static @Nullable Amount amount(Document document, String field) {
        Long cents = document.getLong(field);
        return cents == null ? null : new Amount(cents);
    }

    private static @Nullable List<String> sorted(@Nullable Collection<String> values) {
        return values == null ? null : values.stream().sorted().toList();
    }

    private static @Nullable Set<String> set(Document document, String field) {
        List<String> values = document.getList(field, String.class);
        return values == null ? null : Set.copyOf(values);
    }
}
