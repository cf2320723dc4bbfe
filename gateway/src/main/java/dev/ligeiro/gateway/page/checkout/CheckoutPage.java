package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.gateway.qrcode.QrCodeImage;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.view.Language;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the checkout page and the receipt show of a cashin. The page has nothing of the payer. Everybody who has the checkout's link can open
 * the receipt, so the payer stands there as a person who was part of it knows them again: first name and initials, the end of the document.
 *
 * @param merchant the merchant's name; {@code ""} when unknown
 * @param zone of the times on the page
 */
public record CheckoutPage(Transaction cashin, String merchant, Language language, Instant now, ZoneId zone) {

    private static final long LONG_AMOUNT_CENTS = 1_000_000_00L;
    private static final int DIGITS_SHOWN = 4;

    /** Whether an open page waits for another status. An expired cashin can still become paid, but the page no longer offers that. */
    static boolean isLive(Status status) {
        return switch (status) {
            case PENDING, IN_ANALYSIS, IN_PROCESS -> true;
            case PAID, DENIED, CANCELED, EXPIRED, REFUND -> false;
        };
    }

    public boolean isLive() {
        return isLive(status());
    }

    public boolean isTest() {
        return cashin.tenant().mode() == Mode.TEST;
    }

    public String id() {
        return cashin.id().toString();
    }

    public Status status() {
        return cashin.status();
    }

    /** The way back to the shop; null when the merchant gave none. */
    public @Nullable String returnUrl() {
        return cashin.terms().returnUrl();
    }

    public String text(String key) {
        return language.text("checkout." + key);
    }

    public String heading() {
        return text("heading." + status().code());
    }

    public String title() {
        return heading() + ": " + amount() + (merchant.isEmpty() ? "" : " " + text("to") + " " + merchant);
    }

    public String amount() {
        return language.format(cashin.terms().amount());
    }

    /** Whether it is R$ 1.000.000,00 or more, which needs smaller digits to fit on one line of a phone 320 pixels wide. */
    public boolean hasLongAmount() {
        return cashin.terms().amount().cents() >= LONG_AMOUNT_CENTS;
    }

    private @Nullable Instant paid() {
        return cashin.history().lastAt(Status.PAID).orElse(null);
    }

    /** Null if it was never paid. It has a receipt exactly if it was. */
    public @Nullable String paidAt() {
        Instant paid = paid();
        return paid == null ? null : language.format(paid, zone);
    }

    /** For the HTML attribute {@code datetime}. */
    public @Nullable String paidAtIso() {
        Instant paid = paid();
        return paid == null ? null : iso(paid);
    }

    /** The BR Code; null unless the cashin can be paid. */
    public @Nullable String code() {
        return status() == Status.PENDING ? cashin.terms().brCode() : null;
    }

    /** The QR code of {@link #code} as a data URI. */
    public @Nullable String image() {
        String code = code();
        return code == null ? null : QrCodeImage.dataUri(code);
    }

    public String expiresAt() {
        return language.format(cashin.terms().expiresAt(), zone);
    }

    /** For the HTML attribute {@code datetime}. */
    public String expiresAtIso() {
        return iso(cashin.terms().expiresAt());
    }

    private static String iso(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Until the cashin expires, zero or more; null unless it can be paid. */
    public @Nullable Long secondsLeft() {
        long left = Duration.between(now, cashin.terms().expiresAt()).toSeconds();
        return status() == Status.PENDING ? Long.valueOf(Math.max(0, left)) : null;
    }

    /** What went back; null if nothing did. */
    public @Nullable String refund() {
        Amount refunded = cashin.snapshot().refunds().refunded();
        return refunded.cents() == 0 ? null : language.format(refunded);
    }

    /** {@code Maria S.} of {@code Maria Silva}. */
    public String payer() {
        String[] words = cashin.terms().payer().name().split("\\s+");
        return words[0]
                + Arrays.stream(words)
                        .skip(1)
                        .map(word -> " " + word.substring(0, word.offsetByCodePoints(0, 1)) + ".")
                        .collect(Collectors.joining());
    }

    /** The payer's. */
    public String document() {
        String document = cashin.terms().payer().document();
        return "***" + document.substring(document.length() - DIGITS_SHOWN);
    }
}
