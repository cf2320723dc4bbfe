package dev.ligeiro.infra.launcher.home;

import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.MerchantApi;

/** A merchant in test mode for a first try. Its transactions never reach a real rail. */
public record DemoMerchant(String merchantId, String platformId, String apiKey) {

    private static final String MODE = "test";

    static DemoMerchant create(AdminApi admin) {
        String merchantId = admin.createMerchant("Demo merchant");
        String platformId = admin.createPlatform(merchantId, "Demo platform", MODE);
        return new DemoMerchant(merchantId, platformId, admin.createKey(merchantId, MODE));
    }

    MerchantApi api(String baseUrl) {
        return new MerchantApi(new Api(baseUrl, apiKey), platformId);
    }

    /** Without the API key. */
    @Override
    public String toString() {
        return "DemoMerchant[" + merchantId + "]";
    }
}
