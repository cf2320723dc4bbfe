package dev.ligeiro.transaction;

import dev.ligeiro.pix.PixKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the merchant and Ligeiro agreed on when the transaction was created. It never changes, but {@link
 * Redaction} removes personal data of it.
 *
 * @param platform the id of a platform registered to the merchant
 * @param reference the merchant's own identifier, unique per tenant; null when not given
 * @param extra the merchant's free text, unchanged; null when not given
 * @param pixKey the receiver's key of a cashout; null for a cashin, and once personal data was removed
 * @param brCode the text of the payer's QR code; null for a cashout
 * @param locationId the rail's id of the payload location in the code of a live cashin; the rail attaches the charge to it. Null when the
 *     code names none
 * @param endToEndId generated for the payment of a test transaction, {@link #NO_END_TO_END_ID} for a live one; the rail reports its own with
 *     the payment, see {@link Settlement}
 * @param expiresAt a transaction that is still pending then expires; truncated to the millisecond
 * @param rail the name of the rail that gets every call of the transaction and its refunds, however the routing table changes
 * @param commissionReturns {@code true} if a refund returns the commission in proportion; null if the commission stays
 * @param returnUrl where the checkout page leads back to; null when not given
 * @param fiscal what links the transaction to the merchant's tax document, in the order of the request; null when not given
 * @param payerRules what the merchant wants of the payer; null for nothing, and for a cashout
 */
public record Terms(
        Amount amount,
        Amount commission,
        Party payer,
        String description,
        UUID platform,
        @Nullable String reference,
        @Nullable String extra,
        @Nullable PixKey pixKey,
        @Nullable String brCode,
        @Nullable Long locationId,
        String endToEndId,
        Instant expiresAt,
        String rail,
        @Nullable Boolean commissionReturns,
        @Nullable String returnUrl,
        @Nullable Map<String, String> fiscal,
        @Nullable PayerRules payerRules) {

    /** The merchant would ask the bank for a generated id in vain. */
    public static final String NO_END_TO_END_ID = "";

    public Terms {
        expiresAt = expiresAt.truncatedTo(ChronoUnit.MILLIS);
        fiscal = fiscal == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(fiscal));
    }

    /** Whether only a payer with the tax id of {@link Party#document} may pay. */
    public boolean payerMustMatch() {
        return payerRules != null && payerRules.mustMatch();
    }

    @Override
    public String toString() {
        return "Terms[…]";
    }
}
