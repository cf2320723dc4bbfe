package dev.ligeiro.desk.merchant;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ligeiro.desk.http.Bodies;
import dev.ligeiro.desk.http.Bodies.GivenText;
import dev.ligeiro.merchant.Merchant.StoredFee;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import jakarta.validation.Valid;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * The commissions of a merchant: {@code {"cashin":{"percent":"1.25","fixed":"0.10"},"cashout":…}}, each part optional. A percentage has up to
 * 4 decimals.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Fees(@Valid @Nullable Fee cashin, @Valid @Nullable Fee cashout) {

    /** The decimals of a percentage that is a whole number of millionths. */
    private static final int PERCENT_TO_MILLIONTHS = 4;

    static final Fees NONE = new Fees(null, null);

    static Fees of(Map<Operation, StoredFee> stored) {
        return new Fees(Fee.of(stored.get(Operation.CASHIN)), Fee.of(stored.get(Operation.CASHOUT)));
    }

    Map<Operation, StoredFee> stored() {
        Map<Operation, StoredFee> fees = new EnumMap<>(Operation.class);
        if (cashin != null) {
            fees.put(Operation.CASHIN, cashin.stored());
        }
        if (cashout != null) {
            fees.put(Operation.CASHOUT, cashout.stored());
        }
        return fees;
    }

    public record Fee(
            @Percent @JsonDeserialize(using = GivenText.class) @Nullable String percent, @Nullable Amount fixed) {

        static @Nullable Fee of(@Nullable StoredFee fee) {
            return fee == null
                    ? null
                    : new Fee(
                            BigDecimal.valueOf(fee.millionths(), PERCENT_TO_MILLIONTHS)
                                    .toPlainString(),
                            new Amount(fee.fixedCents()));
        }

        StoredFee stored() {
            long millionths = percent == null
                    ? 0
                    : Bodies.decimal(percent)
                            .movePointRight(PERCENT_TO_MILLIONTHS)
                            .longValueExact();
            return new StoredFee(millionths, fixed == null ? 0 : fixed.cents());
        }
    }
}
