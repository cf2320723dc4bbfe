package dev.ligeiro.infra.launcher.endtoend;

import dev.ligeiro.infra.client.MerchantApi;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A transaction in live mode. The payer of a cashin pays at the bank.
 *
 * @param amount in reais
 * @param refund what the merchant asks back when it is paid; null for nothing
 */
record LiveOrder(String path, String amount, @Nullable Map<String, String> refund, LiveBank bank)
        implements ConstantLoad.Kind {

    private static final int AMOUNTS = 1_000;

    /** Orders in these proportions; those with a refund are among the cashins. */
    static IntFunction<LiveOrder> mixture(int cashins, int cashouts, int refunds, LiveBank bank) {
        return number -> {
            int place = number % (cashins + cashouts);
            String amount = "1%d.%02d".formatted(number % AMOUNTS / 100, number % 100);
            if (place >= cashins) {
                return new LiveOrder(MerchantApi.CASHOUT_PATH, amount, null, bank);
            }
            Map<String, String> whole = Map.of();
            Map<String, String> part = Map.of("amount", "4.00");
            Map<String, String> refund = place >= refunds ? null : number % 2 == 0 ? whole : part;
            return new LiveOrder(MerchantApi.CASHIN_PATH, amount, refund, bank);
        };
    }

    boolean isCashin() {
        return path.equals(MerchantApi.CASHIN_PATH);
    }

    @Override
    public Map<String, Object> request(EndToEndMerchant merchant) {
        return isCashin() ? merchant.cashin(amount) : merchant.cashout(amount);
    }

    @Override
    public HttpRequest.@Nullable Builder payment(EndToEndMerchant merchant, JsonNode created) {
        return isCashin() ? bank.payment(created.required("qr_code").asString()) : null;
    }
}
