package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.gateway.http.html.Language;
import dev.ligeiro.gateway.qrcode.QrCodeImage;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the checkout page shows of a cashin. It contains no personal data: nothing of the payer, no free text of the merchant.
 *
 * @param merchant the merchant's name; {@code ""} when unknown
 * @param code the BR Code; null unless the cashin can be paid
 * @param timeLeft until the cashin expires, zero or more; null unless it can be paid
 * @param zone of the times on the page
 */
public record CheckoutPage(
        Language language,
        String merchant,
        Mode mode,
        Status status,
        Amount price,
        @Nullable String code,
        @Nullable Duration timeLeft,
        Instant expiry,
        ZoneId zone) {

    private static final long LONG_AMOUNT_CENTS = 1_000_000_00L;

    static CheckoutPage of(Transaction cashin, String merchant, Language language, Instant now, ZoneId zone) {
        boolean canBePaid = cashin.status() == Status.PENDING;
        Instant expiresAt = cashin.terms().expiresAt();
        Duration left = Duration.between(now, expiresAt);
        return new CheckoutPage(
                language,
                merchant,
                cashin.tenant().mode(),
                cashin.status(),
                cashin.terms().amount(),
                canBePaid ? cashin.terms().brCode() : null,
                !canBePaid ? null : left.isNegative() ? Duration.ZERO : left,
                expiresAt,
                zone);
    }

    /** Whether an open page waits for another status. An expired cashin can still become paid, but the page no longer offers that. */
    static boolean isLive(Status status) {
        return switch (status) {
            case PENDING, IN_ANALYSIS, IN_PROCESS -> true;
            case PAID, DENIED, CANCELED, EXPIRED, REFUND -> false;
        };
    }

    public boolean isLive() {
        return isLive(status);
    }

    public boolean isTest() {
        return mode == Mode.TEST;
    }

    public String text(String key) {
        return language.text("checkout", key);
    }

    public String heading() {
        return text("heading." + status.code());
    }

    public String title() {
        return heading() + ": " + amount() + (merchant.isEmpty() ? "" : " " + text("to") + " " + merchant);
    }

    public String amount() {
        return language.format(price);
    }

    /** Whether it is R$ 1.000.000,00 or more, which needs smaller digits to fit on one line of a phone 320 pixels wide. */
    public boolean hasLongAmount() {
        return price.cents() >= LONG_AMOUNT_CENTS;
    }

    public String statusText() {
        return text("status." + status.code());
    }

    public String advice() {
        return text("advice." + status.code());
    }

    /** The QR code of {@link #code} as a data URI. */
    public @Nullable String image() {
        return code == null ? null : QrCodeImage.dataUri(code);
    }

    public String expiresAt() {
        return language.format(expiry, zone);
    }

    /** For the HTML attribute {@code datetime}. */
    public String expiresAtIso() {
        return expiry.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    public @Nullable Long secondsLeft() {
        return timeLeft == null ? null : timeLeft.toSeconds();
    }
}
