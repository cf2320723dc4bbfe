package dev.ligeiro.infra.client;

import java.util.List;
import java.util.Map;

/**
 * The operator's calls. Each throws an {@link ApiException} unless the response is a success.
 *
 * @param api the desk's address for operators with the admin token
 */
public record AdminApi(Api api) {

    public static final List<String> ALL_SCOPES =
            List.of("transactions:read", "transactions:write", "cashouts:approve", "statement:read", "webhooks:manage");

    private static final String MERCHANTS = "/admin/merchants";

    public static AdminApi of(DemoEnv env) {
        return new AdminApi(new Api(env.adminUrl(), env.adminToken()));
    }

    /** Returns the new merchant's id. */
    public String createMerchant(String name) {
        return createMerchant(Map.of("name", name));
    }

    /**
     * Returns the new merchant's id.
     *
     * @param request has {@code name}, and {@code fees} unless they are zero
     */
    public String createMerchant(Map<String, ?> request) {
        return create(MERCHANTS, request, "id");
    }

    /**
     * Returns the new platform's id.
     *
     * @param mode {@code test} or {@code live}
     */
    public String createPlatform(String merchantId, String name, String mode) {
        return create(MERCHANTS + "/" + merchantId + "/platforms", Map.of("name", name, "mode", mode), "id");
    }

    /**
     * Returns the new API key, which may do everything.
     *
     * @param mode {@code test} or {@code live}
     */
    public String createKey(String merchantId, String mode) {
        return createKey(merchantId, mode, ALL_SCOPES);
    }

    /** Returns the new API key. */
    public String createKey(String merchantId, String mode, List<String> scopes) {
        return create(MERCHANTS + "/" + merchantId + "/keys", Map.of("mode", mode, "scopes", scopes), "key");
    }

    /** Opens live cashouts of a merchant, which may have begun stopped. */
    public void openCashouts(String merchantId, String reason) {
        api.put("/admin/cashouts-stop", Map.of("stopped", false, "merchant", merchantId, "reason", reason))
                .expect(200);
    }

    private String create(String path, Map<String, ?> request, String member) {
        return api.post(path, request).expect(201).json().required(member).asString();
    }
}
