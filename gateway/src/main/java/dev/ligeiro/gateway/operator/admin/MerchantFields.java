package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.merchant.Merchant.StoredFee;
import dev.ligeiro.merchant.MerchantLimits;
import dev.ligeiro.merchant.MerchantLimits.AmountRange;
import dev.ligeiro.pix.BrCode;
import dev.ligeiro.pix.MerchantAccount;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what a request says about a merchant. The {@link Fields} collect the errors. */
final class MerchantFields {

    /** The decimals of a percentage that is a whole number of millionths. */
    static final int PERCENT_TO_MILLIONTHS = 4;

    private static final int TEXT_LENGTH_MAX = 100;
    private static final long PER_SECOND_MAX = 1_000_000;
    private static final BigDecimal PERCENT_MAX = BigDecimal.valueOf(100);
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,10}(\\.[0-9]{1,4})?");
    private static final MerchantAccount ANY_ACCOUNT = new MerchantAccount.DynamicLocation("example.com/1");
    private static final Codes<Mode> MODES = new Codes<>(Mode.class);

    private MerchantFields() {}

    /** The name, which BR Codes contain; null with an error. */
    static @Nullable String name(Fields fields) {
        return brCodeText(fields, "name", fields.requiredText("name", TEXT_LENGTH_MAX));
    }

    /** A text that BR Codes contain; null when the field is absent, null or empty. */
    static @Nullable String optionalBrCodeText(Fields fields, String field) {
        return brCodeText(fields, field, fields.optionalText(field, TEXT_LENGTH_MAX));
    }

    private static @Nullable String brCodeText(Fields fields, String field, @Nullable String text) {
        if (text != null) {
            try {
                BrCode.of(ANY_ACCOUNT, text, text);
            } catch (IllegalArgumentException nothingLeft) {
                return fields.error(FieldError.invalid(field, "expected Latin letters, which a BR Code can contain"));
            }
        }
        return text;
    }

    /** {@code test} or {@code live}; null with an error. */
    static @Nullable Mode mode(Fields fields) {
        return fields.requiredParsed("mode", MerchantFields::mode);
    }

    static Mode mode(String text) {
        return MODES.find(text).orElseThrow(() -> new IllegalArgumentException("expected test or live"));
    }

    /**
     * {@code {"cashin":{"percent":"1.25","fixed":"0.10"},"cashout":…}}, each part optional. The percentage has up to 4 decimals.
     *
     * @param fees null for none
     */
    static Map<Operation, StoredFee> fees(@Nullable Fields fees) {
        return byOperation(fees, MerchantFields::fee);
    }

    private static StoredFee fee(Fields fee) {
        Long millionths = fee.optionalParsed("percent", MerchantFields::millionths);
        Amount fixed = fee.optionalParsed("fixed", text -> Amount.of(decimal(text)));
        fee.refuseEmpty("percent", "fixed");
        return new StoredFee(millionths == null ? 0 : millionths, fixed == null ? 0 : fixed.cents());
    }

    private static Long millionths(String percent) {
        BigDecimal decimal = decimal(percent);
        if (decimal.compareTo(PERCENT_MAX) > 0) {
            throw new IllegalArgumentException("expected at most 100");
        }
        return decimal.movePointRight(PERCENT_TO_MILLIONTHS).longValueExact();
    }

    /**
     * {@code {"cashin":{"amount_min":"1.00","amount_max":"500.00"},"cashout":…,"reads_per_second":100,"writes_per_second":50}}, each
     * part optional: without it, the merchant has no such limit of its own.
     */
    static MerchantLimits limits(Fields fields) {
        return new MerchantLimits(
                byOperation(fields, MerchantFields::amounts),
                perSecond(fields, "reads_per_second"),
                perSecond(fields, "writes_per_second"));
    }

    private static AmountRange amounts(Fields range) {
        Amount max = range.optionalParsed("amount_max", MerchantFields::amount);
        Amount min = range.optionalParsed("amount_min", text -> upTo(max, amount(text)));
        range.refuseEmpty("amount_max", "amount_min");
        return new AmountRange(min == null ? null : min.cents(), max == null ? null : max.cents());
    }

    private static Amount amount(String text) {
        Amount amount = Amount.of(decimal(text));
        if (amount.cents() == 0) {
            throw new IllegalArgumentException("expected an amount above 0");
        }
        return amount;
    }

    private static Amount upTo(@Nullable Amount max, Amount min) {
        if (max != null && min.cents() > max.cents()) {
            throw new IllegalArgumentException("expected at most amount_max");
        }
        return min;
    }

    private static @Nullable Integer perSecond(Fields fields, String field) {
        Long given = fields.optionalInteger(field, 1, PER_SECOND_MAX);
        return given == null ? null : given.intValue();
    }

    private static <T> Map<Operation, T> byOperation(@Nullable Fields fields, Function<Fields, T> read) {
        Map<Operation, T> found = new EnumMap<>(Operation.class);
        if (fields != null) {
            for (Operation operation : Operation.values()) {
                Fields inner = fields.optionalObject(operation.code());
                if (inner != null) {
                    found.put(operation, read.apply(inner));
                }
            }
        }
        return found;
    }

    private static BigDecimal decimal(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new IllegalArgumentException("expected digits, a dot and decimals, as a string");
        }
        return new BigDecimal(text);
    }
}
