package dev.ligeiro.pix;

import java.util.regex.Pattern;

/** A Pix key in the form of the central directory (DICT): no mask, e-mail and EVP in lower case, phone with +55. */
public record PixKey(Type type, String value) {

    /** The types of Pix key; EVP is a random UUID. */
    public enum Type {
        CPF,
        CNPJ,
        PHONE,
        EMAIL,
        EVP;

        public static Type parse(String text) {
            for (Type type : values()) {
                if (type.name().equalsIgnoreCase(text)) {
                    return type;
                }
            }
            throw new IllegalArgumentException("expected CPF, CNPJ, PHONE, EMAIL or EVP");
        }
    }

    /** A UUID of any version: the example in BACEN's documentation is not version 4. */
    private static final Pattern EVP = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    public PixKey {
        if (!normalised(type, value).equals(value)) {
            throw new IllegalArgumentException("expected a Pix key in its normal form");
        }
    }

    /** Parses a key of the given type; masks, punctuation, upper and lower case are accepted. */
    public static PixKey parse(Type type, String text) {
        return new PixKey(type, normalised(type, text));
    }

    private static String normalised(Type type, String text) {
        return switch (type) {
            case CPF -> taxId(TaxId.Kind.CPF, text);
            case CNPJ -> taxId(TaxId.Kind.CNPJ, text);
            case PHONE -> phone(text);
            case EMAIL -> email(text);
            case EVP -> evp(text);
        };
    }

    private static String taxId(TaxId.Kind kind, String text) {
        TaxId taxId = TaxId.parse(text);
        if (taxId.kind() != kind) {
            throw new IllegalArgumentException("expected a " + kind);
        }
        return taxId.value();
    }

    private static String phone(String text) {
        Phone phone = Phone.parse(text);
        if (!phone.isBrazilian()) {
            throw new IllegalArgumentException("expected a phone number of Brazil (+55)");
        }
        return phone.value();
    }

    private static String email(String text) {
        String address = Email.parse(text).value();
        if (!Ascii.isPrintable(address)) {
            throw new IllegalArgumentException("expected an e-mail address without accents");
        }
        return Ascii.lowerCase(address);
    }

    private static String evp(String text) {
        String evp = Ascii.lowerCase(text.strip());
        if (!EVP.matcher(evp).matches()) {
            throw new IllegalArgumentException("expected a UUID: 8-4-4-4-12 hexadecimal digits");
        }
        return evp;
    }

    @Override
    public String toString() {
        return "PixKey[" + type + "]";
    }
}
