package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.store.merchant.Merchant;
import dev.ligeiro.gateway.store.merchant.MerchantLimits;
import dev.ligeiro.gateway.store.merchant.MerchantLimits.AmountRange;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Merchants in responses. Fees and limits have the form of the requests that set them. */
final class MerchantJson {

    private MerchantJson() {}

    static byte[] one(Merchant merchant) {
        return JsonResponse.object(json -> write(json, merchant));
    }

    static void write(JsonGenerator json, Merchant merchant) {
        json.writeStringProperty("id", merchant.id().toString());
        json.writeStringProperty("name", merchant.name());
        json.writeStringProperty("city", merchant.city());
        writeFees(json, merchant.fees());
        writeLimits(json, merchant.limits());
        writeNumber(json, "expires_in", merchant.expiresInSeconds());
        json.writeStringProperty("created_at", merchant.createdAt().toString());
    }

    private static void writeFees(JsonGenerator json, Map<Operation, Merchant.StoredFee> fees) {
        json.writeObjectPropertyStart("fees");
        fees.forEach((operation, fee) -> {
            json.writeObjectPropertyStart(operation.code());
            json.writeStringProperty(
                    "percent",
                    BigDecimal.valueOf(fee.millionths(), FeesRequest.PERCENT_TO_MILLIONTHS)
                            .toPlainString());
            json.writeStringProperty("fixed", new Amount(fee.fixedCents()).toString());
            json.writeEndObject();
        });
        json.writeEndObject();
    }

    private static void writeLimits(JsonGenerator json, MerchantLimits limits) {
        json.writeObjectPropertyStart("limits");
        for (Operation operation : Operation.values()) {
            AmountRange range = limits.amounts(operation);
            json.writeObjectPropertyStart(operation.code());
            writeAmount(json, "amount_min", range.minCents());
            writeAmount(json, "amount_max", range.maxCents());
            json.writeEndObject();
        }
        writeNumber(json, "reads_per_second", limits.readsPerSecond());
        writeNumber(json, "writes_per_second", limits.writesPerSecond());
        json.writeEndObject();
    }

    private static void writeAmount(JsonGenerator json, String name, @Nullable Long cents) {
        json.writeStringProperty(name, cents == null ? null : new Amount(cents).toString());
    }

    private static void writeNumber(JsonGenerator json, String name, @Nullable Number value) {
        if (value == null) {
            json.writeNullProperty(name);
        } else {
            json.writeNumberProperty(name, value.longValue());
        }
    }
}
