package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.pix.BrCode;
import dev.ligeiro.pix.MerchantAccount;
import org.jspecify.annotations.Nullable;

/** Reads a text that BR Codes contain. */
final class BrCodeText {

    private static final int LENGTH_MAX = 100;
    private static final MerchantAccount ANY_ACCOUNT = new MerchantAccount.DynamicLocation("example.com/1");

    private BrCodeText() {}

    static @Nullable String required(Fields fields, String field) {
        return checked(fields, field, fields.requiredText(field, LENGTH_MAX));
    }

    /** Null when the field is absent, null or empty. */
    static @Nullable String optional(Fields fields, String field) {
        return checked(fields, field, fields.optionalText(field, LENGTH_MAX));
    }

    private static @Nullable String checked(Fields fields, String field, @Nullable String text) {
        return text == null || fits(text)
                ? text
                : fields.error(FieldError.invalid(field, "expected Latin letters, which a BR Code can contain"));
    }

    private static boolean fits(String text) {
        try {
            BrCode.of(ANY_ACCOUNT, text, text);
            return true;
        } catch (IllegalArgumentException nothingLeft) {
            return false;
        }
    }
}
