package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Operation;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fees in a request: {@code {"cashin":{"percent":"1.25","fixed":"0.10"},"cashout":…}}, each part optional. The percentage has
 * up to 4 decimals.
 */
final class FeesRequest {

    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,10}(\\.[0-9]{1,4})?");
    /** The decimals of a percentage that is a whole number of millionths. */
    static final int PERCENT_TO_MILLIONTHS = 4;

    private static final BigDecimal PERCENT_MAX = BigDecimal.valueOf(100);

    private FeesRequest() {}

    static Map<Operation, Commission> parse(ObjectNode body) {
        Fields fields = new Fields(body);
        Map<Operation, Commission> fees = read(fields);
        fields.orThrow();
        return fees;
    }

    /** Adds its errors to {@code fees}. */
    static Map<Operation, Commission> read(@Nullable Fields fees) {
        Map<Operation, Commission> read = new EnumMap<>(Operation.class);
        if (fees != null) {
            for (Operation operation : Operation.values()) {
                Fields fee = fees.optionalObject(operation.code());
                if (fee != null) {
                    read.put(operation, commission(fee));
                }
            }
        }
        return read;
    }

    private static Commission commission(Fields fee) {
        Long millionths = fee.optionalParsed("percent", FeesRequest::millionths);
        Amount fixed = fee.optionalParsed("fixed", text -> Amount.of(decimal(text)));
        return new Commission(millionths == null ? 0 : millionths, fixed == null ? Amount.ZERO : fixed);
    }

    private static Long millionths(String percent) {
        BigDecimal decimal = decimal(percent);
        if (decimal.compareTo(PERCENT_MAX) > 0) {
            throw new IllegalArgumentException("expected at most 100");
        }
        return decimal.movePointRight(PERCENT_TO_MILLIONTHS).longValueExact();
    }

    static BigDecimal decimal(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new IllegalArgumentException("expected digits, a dot and decimals, as a string");
        }
        return new BigDecimal(text);
    }
}
