package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.view.Language;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The receipt of a cashin that was paid. Everybody who has the checkout's link can open it, so the payer stands there as a person who was
 * part of it knows them again: first name and initials, the end of the document.
 *
 * @param merchant the merchant's name; {@code ""} when unknown
 * @param endToEndId the bank's id of the payment
 * @param refund what went back; null if nothing did
 * @param id of the transaction
 */
public record Receipt(
        Language language,
        String merchant,
        String description,
        Mode mode,
        String amount,
        @Nullable String refund,
        String paidAt,
        String payer,
        String document,
        String endToEndId,
        String id,
        @Nullable String returnUrl) {

    private static final int DIGITS_SHOWN = 4;

    /** Empty if the cashin was never paid. */
    static Optional<Receipt> of(Transaction cashin, String merchant, Language language, ZoneId zone) {
        return cashin.history().lastAt(Status.PAID).map(paid -> of(cashin, paid, merchant, language, zone));
    }

    private static Receipt of(Transaction cashin, Instant paid, String merchant, Language language, ZoneId zone) {
        Party payer = cashin.terms().payer();
        Amount refunded = cashin.snapshot().refunds().refunded();
        return new Receipt(
                language,
                merchant,
                cashin.terms().description(),
                cashin.tenant().mode(),
                language.format(cashin.terms().amount()),
                refunded.cents() == 0 ? null : language.format(refunded),
                language.format(paid, zone),
                shortened(payer.name()),
                "***" + payer.document().substring(payer.document().length() - DIGITS_SHOWN),
                cashin.endToEndId(),
                cashin.id().toString(),
                cashin.terms().returnUrl());
    }

    /** {@code Maria S.} of {@code Maria Silva}. */
    private static String shortened(String name) {
        String[] words = name.split("\\s+");
        return words[0]
                + Arrays.stream(words)
                        .skip(1)
                        .map(word -> " " + word.substring(0, word.offsetByCodePoints(0, 1)) + ".")
                        .collect(Collectors.joining());
    }

    public boolean isTest() {
        return mode == Mode.TEST;
    }

    public String text(String key) {
        return language.text("checkout." + key);
    }
}
