package dev.ligeiro.gateway.api.create;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.merchant.MerchantLimits.AmountRange;
import dev.ligeiro.pix.Email;
import dev.ligeiro.pix.Phone;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Party;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A valid request to create a transaction, with every value in its normal form. Unknown fields are ignored.
 *
 * @param pixKey null for a cashin
 * @param expiresIn how long the transaction stays pending; null when not given
 * @param returnUrl where the checkout page leads back to; null for a cashout, and when not given
 * @param fiscal what links the transaction to a tax document; null when not given
 * @param payerMustMatch whether the payer's tax id must be the document; null for a cashout, and when not given
 */
record CreateRequest(
        Operation operation,
        Amount amount,
        Party payer,
        String description,
        UUID platform,
        @Nullable String reference,
        @Nullable String extra,
        @Nullable PixKey pixKey,
        @Nullable Duration expiresIn,
        @Nullable String returnUrl,
        @Nullable Map<String, String> fiscal,
        @Nullable Boolean payerMustMatch) {

    private static final int NAME_MAX = 100;
    private static final int DESCRIPTION_MAX = 255;
    private static final int REFERENCE_MAX = 50;
    private static final int EXTRA_MAX = 255;
    private static final int RETURN_URL_MAX = 500;
    private static final int FISCAL_PAIRS_MAX = 20;
    private static final int FISCAL_BYTES_MAX = 1_024;
    private static final String DOCUMENT_KEY = "document_key";
    /** State, year and month, CNPJ, model and so on. Since 2026 a CNPJ can have letters, but not as its check digits. */
    private static final Pattern DOCUMENT_KEY_FORM = Pattern.compile("[0-9]{6}[0-9A-Z]{12}[0-9]{26}");

    /**
     * @param fields the body's; errors that they have already are reported too
     * @param platforms the platforms that the caller may use
     * @param amounts the amounts that the caller may use
     * @param amountMax the installation's largest amount
     * @throws dev.ligeiro.gateway.http.problem.Problem 422 with every invalid field
     */
    static CreateRequest parse(
            Operation operation, Fields fields, Set<UUID> platforms, AmountRange amounts, Amount amountMax) {
        fields.ignoreUnknown();
        String name = fields.requiredText("name", NAME_MAX);
        Email email = fields.requiredParsed("email", Email::parse);
        Phone phone = fields.requiredParsed("phone", Phone::parse);
        String description = fields.requiredText("description", DESCRIPTION_MAX);
        TaxId document = fields.requiredParsed("document", TaxId::parse);
        Amount amount = fields.requiredAmount("amount", amounts.min(), amounts.max(amountMax));
        UUID platform = platform(fields, platforms);
        String reference = fields.optionalText("reference", REFERENCE_MAX);
        String extra = fields.optionalVerbatim("extra", EXTRA_MAX);
        PixKey pixKey = operation == Operation.CASHOUT ? pixKey(fields) : null;
        Duration expiresIn = fields.expiresIn();
        String returnUrl =
                operation == Operation.CASHIN ? fields.optionalParsed("return_url", CreateRequest::returnUrl) : null;
        Map<String, String> fiscal = fiscal(fields);
        Boolean payerMustMatch = operation == Operation.CASHIN ? fields.optionalBoolean("payer_must_match") : null;
        fields.orThrow();
        if (name == null
                || email == null
                || phone == null
                || description == null
                || document == null
                || amount == null
                || platform == null) {
            throw new IllegalStateException("a required field is missing without an error");
        }
        Party payer = new Party(name, email.value(), phone.value(), document.value());
        return new CreateRequest(
                operation,
                amount,
                payer,
                description,
                platform,
                reference,
                extra,
                pixKey,
                expiresIn,
                returnUrl,
                fiscal,
                payerMustMatch);
    }

    private static @Nullable Map<String, String> fiscal(Fields fields) {
        Map<String, String> fiscal = fields.optionalPairs("fiscal", FISCAL_PAIRS_MAX, FISCAL_BYTES_MAX);
        String key = fiscal == null ? null : fiscal.get(DOCUMENT_KEY);
        if (key != null && !isDocumentKey(key)) {
            fields.reject(FieldError.invalid(
                    "fiscal." + DOCUMENT_KEY,
                    "expected the access key of a tax document: 44 digits with a valid check digit, without spaces"));
        }
        return fiscal;
    }

    /** The last digit follows modulo 11 from the others, with the weights 2 to 9 from the right; a letter counts as its ASCII code less 48. */
    private static boolean isDocumentKey(String text) {
        if (!DOCUMENT_KEY_FORM.matcher(text).matches()) {
            return false;
        }
        int last = text.length() - 1;
        int sum = 0;
        for (int i = 0; i < last; i++) {
            sum += (text.charAt(last - 1 - i) - '0') * (2 + i % 8);
        }
        int rest = sum % 11;
        return text.charAt(last) - '0' == (rest < 2 ? 0 : 11 - rest);
    }

    private static @Nullable UUID platform(Fields fields, Set<UUID> platforms) {
        UUID platform = fields.requiredUuid("platform");
        return platform == null || platforms.contains(platform)
                ? platform
                : fields.error(
                        new FieldError("platform", "unknown", "expected one of your platforms in the mode of the key"));
    }

    /** A payer follows it as a link, so it is nothing but a web page's address. */
    private static String returnUrl(String text) {
        try {
            URI url = new URI(text);
            if ("https".equalsIgnoreCase(url.getScheme()) && url.getHost() != null && url.getRawUserInfo() == null) {
                String ascii = url.toASCIIString();
                if (ascii.length() <= RETURN_URL_MAX) {
                    return ascii;
                }
            }
        } catch (URISyntaxException malformed) {
            // same message as for another address
        }
        throw new IllegalArgumentException(
                "expected a URL that starts with https://, without user information, of at most " + RETURN_URL_MAX
                        + " characters, percent-encoded");
    }

    private static @Nullable PixKey pixKey(Fields fields) {
        PixKey.Type type = fields.requiredParsed("key_type", PixKey.Type::parse);
        if (type == null) {
            return fields.requiredParsed("pix_key", key -> null);
        }
        return fields.requiredParsed("pix_key", key -> PixKey.parse(type, key));
    }
}
