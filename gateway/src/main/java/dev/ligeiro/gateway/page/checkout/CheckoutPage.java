package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.gateway.qrcode.QrCodeImage;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.view.Language;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the checkout page shows of a cashin. It contains nothing of the payer.
 *
 * @param merchant the merchant's name; {@code ""} when unknown
 * @param code the BR Code; null unless the cashin can be paid
 * @param timeLeft until the cashin expires, zero or more; null unless it can be paid
 * @param paidTime when it was paid; null if it never was
 * @param returnUrl the way back to the shop; null when the merchant gave none
 * @param zone of the times on the page
 */
public record CheckoutPage(
        Language language,
        TransactionId id,
        String merchant,
        String description,
        Mode mode,
        Status status,
        Amount price,
        @Nullable String code,
        @Nullable Duration timeLeft,
        Instant expiry,
        @Nullable Instant paidTime,
        @Nullable String returnUrl,
        ZoneId zone) {

    private static final long LONG_AMOUNT_CENTS = 1_000_000_00L;

    static CheckoutPage of(Transaction cashin, String merchant, Language language, Instant now, ZoneId zone) {
        boolean canBePaid = cashin.status() == Status.PENDING;
        Instant expiresAt = cashin.terms().expiresAt();
        Duration left = Duration.between(now, expiresAt);
        return new CheckoutPage(
                language,
                cashin.id(),
                merchant,
                cashin.terms().description(),
                cashin.tenant().mode(),
                cashin.status(),
                cashin.terms().amount(),
                canBePaid ? cashin.terms().brCode() : null,
                !canBePaid ? null : left.isNegative() ? Duration.ZERO : left,
                expiresAt,
                cashin.history().lastAt(Status.PAID).orElse(null),
                cashin.terms().returnUrl(),
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
        return language.text("checkout." + key);
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

    /** Null if it was never paid. */
    public @Nullable String paidAt() {
        return paidTime == null ? null : language.format(paidTime, zone);
    }

    /** For the HTML attribute {@code datetime}. */
    public @Nullable String paidAtIso() {
        return paidTime == null ? null : iso(paidTime);
    }

    /** Has a receipt exactly if it was paid. */
    public String receiptPath() {
        return "/checkout/" + id + "/receipt";
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
        return iso(expiry);
    }

    private static String iso(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    public @Nullable Long secondsLeft() {
        return timeLeft == null ? null : timeLeft.toSeconds();
    }
}
