package dev.ligeiro.infra.loadtest.list.fill;

import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.client.JsonApi;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.transaction.Transaction;
import java.util.Map;
import java.util.Optional;

/**
 * A merchant with past transactions.
 *
 * @param sample a cashin of the merchant, created in this run
 * @param isStored whether an earlier run has filled it
 */
public record FilledMerchant(MerchantApi api, Transaction sample, Fill fill, boolean isStored) {

    private static final String MODE = "test";

    /**
     * The merchant that an earlier run has filled, or a new one. Nobody has asked for its lists before: the gateway keeps counts of past
     * days, to which no transaction is ever added.
     */
    public static FilledMerchant of(LoadTestContext context, FillStore fills, String name, int days, long count) {
        DemoEnv env = context.system().env();
        AdminApi admin = AdminApi.of(env);
        Optional<Fill> earlier = fills.find(name, days, count);
        String merchant = earlier.map(Fill::merchantId)
                .orElseGet(() -> admin.createMerchant(Map.of("name", "Load test " + name)));
        String platform = earlier.map(fill -> fill.platform().toString())
                .orElseGet(() -> admin.createPlatform(merchant, "Load test", MODE));
        MerchantApi api = new MerchantApi(new JsonApi(env.baseUrl(), admin.createKey(merchant, MODE)), platform);
        Transaction sample = context.stored().get(LoadTestContext.createCashin(api));
        Fill fill = earlier.orElseGet(() -> Fill.of(name, merchant, sample, days, count));
        return new FilledMerchant(api, sample, fill, earlier.isPresent());
    }
}
