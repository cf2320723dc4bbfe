package dev.ligeiro.desk.transaction;

import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.Payer;
import java.util.regex.Pattern;

/** Personal data with so much left that somebody who knows it recognises it, and nobody else learns it. Removed data stays empty. */
public final class MaskedText {

    public static final String HIDDEN = "***";
    private static final Pattern WORD = Pattern.compile("(\\S)\\S*");
    private static final int DOCUMENT_SHOWN = 3;
    private static final int PHONE_SHOWN = 4;
    private static final int RANDOM_KEY_SHOWN = 4;

    private MaskedText() {}

    public static Party party(Party party) {
        return party.wasRemoved()
                ? party
                : new Party(name(party.name()), email(party.email()), phone(party.phone()), document(party.document()));
    }

    public static Payer payer(Payer payer) {
        return new Payer(
                payer.name() == null ? null : name(payer.name()),
                payer.taxId() == null ? null : document(payer.taxId()),
                payer.ispb());
    }

    /** The first letter of each word. */
    public static String name(String name) {
        return WORD.matcher(name.strip()).replaceAll("$1" + HIDDEN).replaceAll("\\s+", " ");
    }

    /** The first letter and the domain. */
    public static String email(String email) {
        int at = email.lastIndexOf('@');
        return at < 1 ? HIDDEN : email.substring(0, email.offsetByCodePoints(0, 1)) + HIDDEN + email.substring(at);
    }

    public static String phone(String phone) {
        return end(phone, PHONE_SHOWN);
    }

    public static String document(String document) {
        return end(document, DOCUMENT_SHOWN);
    }

    public static String key(PixKey key) {
        return switch (key.type()) {
            case CPF, CNPJ -> document(key.value());
            case PHONE -> phone(key.value());
            case EMAIL -> email(key.value());
            case EVP -> end(key.value(), RANDOM_KEY_SHOWN);
        };
    }

    private static String end(String text, int shown) {
        return text.length() <= shown ? HIDDEN : HIDDEN + text.substring(text.length() - shown);
    }
}
