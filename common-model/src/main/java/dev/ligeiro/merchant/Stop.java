package dev.ligeiro.merchant;

import dev.ligeiro.store.StopFields;
import dev.ligeiro.transaction.Operation;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an operator has stopped; {@link StopFields} has the kinds.
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
        return StopFields.ROUTE + rail + "/" + operation.code();
    }

    public static String cashoutsId(@Nullable String rail, @Nullable UUID merchantId) {
        return StopFields.CASHOUTS + (merchantId == null ? "" : merchantId) + "/" + (rail == null ? "" : rail);
    }

    public static String frozenId(UUID merchantId) {
        return StopFields.FROZEN + merchantId;
    }

    public boolean isRoute() {
        return id.startsWith(StopFields.ROUTE);
    }

    public boolean isOfCashouts() {
        return id.startsWith(StopFields.CASHOUTS);
    }

    public boolean isFrozen() {
        return id.startsWith(StopFields.FROZEN);
    }
}
