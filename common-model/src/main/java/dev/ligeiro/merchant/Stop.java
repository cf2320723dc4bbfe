package dev.ligeiro.merchant;

import dev.ligeiro.transaction.Operation;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an operator has stopped: a document of {@code stops}. Its id begins with the kind:
 *
 * <ul>
 *   <li>{@link #ROUTE}: new live transactions of a rail and operation;
 *   <li>{@link #CASHOUTS}: cashouts of a rail and a merchant; without one of them, of all;
 *   <li>{@link #FROZEN}: all that a merchant pays out.
 * </ul>
 *
 * @param id names what is stopped, so that it is stopped once
 * @param operation only of a route
 * @param operator who has stopped it
 */
public record Stop(
        String id,
        @Nullable String rail,
        @Nullable Operation operation,
        @Nullable UUID merchantId,
        @Nullable Long merchantNumber,
        String reason,
        String operator,
        Instant at) {

    public static final String ROUTE = "route/";
    public static final String CASHOUTS = "cashouts/";
    public static final String FROZEN = "frozen/";

    // the fields that processors read
    public static final String ID = "_id";
    public static final String RAIL = "rail";
    public static final String MERCHANT_NUMBER = "merchantNumber";

    /** Of the new live transactions of a rail. */
    public static Stop ofRoute(String rail, Operation operation, String reason, String operator, Instant at) {
        return new Stop(routeId(rail, operation), rail, operation, null, null, reason, operator, at);
    }

    /**
     * Of cashouts.
     *
     * @param rail null for all
     * @param merchant null for all
     */
    public static Stop ofCashouts(
            @Nullable String rail, @Nullable Merchant merchant, String reason, String operator, Instant at) {
        UUID merchantId = merchant == null ? null : merchant.id();
        Long number = merchant == null ? null : merchant.number();
        return new Stop(cashoutsId(rail, merchantId), rail, null, merchantId, number, reason, operator, at);
    }

    /** Of all that the merchant pays out. */
    public static Stop frozen(Merchant merchant, String reason, String operator, Instant at) {
        return new Stop(frozenId(merchant.id()), null, null, merchant.id(), merchant.number(), reason, operator, at);
    }

    public static String routeId(String rail, Operation operation) {
        return ROUTE + rail + "/" + operation.code();
    }

    public static String cashoutsId(@Nullable String rail, @Nullable UUID merchantId) {
        return CASHOUTS + (merchantId == null ? "" : merchantId) + "/" + (rail == null ? "" : rail);
    }

    public static String frozenId(UUID merchantId) {
        return FROZEN + merchantId;
    }

    public boolean isRoute() {
        return id.startsWith(ROUTE);
    }

    public boolean isOfCashouts() {
        return id.startsWith(CASHOUTS);
    }

    public boolean isFrozen() {
        return id.startsWith(FROZEN);
    }
}
