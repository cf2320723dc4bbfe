package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.store.merchant.MerchantLimits;
import dev.ligeiro.gateway.store.merchant.MerchantLimits.AmountRange;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Limits in a request: {@code {"cashin":{"amount_min":"1.00","amount_max":"500.00"},"cashout":…,"reads_per_second":100,
 * "writes_per_second":50}}, each part optional. What is not given has no limit of the merchant's own.
 */
final class LimitsRequest {

    private static final long PER_SECOND_MAX = 1_000_000;

    private LimitsRequest() {}

    static MerchantLimits parse(ObjectNode body) {
        Fields fields = new Fields(body);
        Map<Operation, AmountRange> amounts = new EnumMap<>(Operation.class);
        for (Operation operation : Operation.values()) {
            Fields range = fields.optionalObject(operation.code());
            if (range != null) {
                amounts.put(operation, range(range));
            }
        }
        Integer reads = perSecond(fields, "reads_per_second");
        Integer writes = perSecond(fields, "writes_per_second");
        fields.orThrow();
        return new MerchantLimits(amounts, reads, writes);
    }

    private static AmountRange range(Fields fields) {
        Amount max = fields.optionalParsed("amount_max", LimitsRequest::amount);
        Amount min = fields.optionalParsed("amount_min", text -> upTo(max, amount(text)));
        return new AmountRange(min == null ? null : min.cents(), max == null ? null : max.cents());
    }

    private static Amount amount(String text) {
        Amount amount = Amount.of(FeesRequest.decimal(text));
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
}
