package dev.ligeiro.infra.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The merchant's calls. Each throws an {@link ApiException} unless the response is a success.
 *
 * @param api the gateway's public address with an API key of the merchant
 * @param platformId the merchant's platform in all requests
 */
public record MerchantApi(Api api, String platformId) {

    public static final String CASHIN_PATH = "/api/v1/transaction/pix/cashin";
    public static final String CASHOUT_PATH = "/api/v1/transaction/pix/cashout";
    public static final String TRANSACTIONS_PATH = "/api/v1/transactions";
    public static final String WEBHOOKS_PATH = "/api/v1/webhooks";
    public static final String EVENTS_PATH = "/api/v1/events";

    public static MerchantApi demo(DemoEnv env) {
        return new MerchantApi(new Api(env.baseUrl(), env.apiKey()), env.platformId());
    }

    /**
     * Creates a merchant with the admin API, in test mode.
     *
     * @param request see {@link AdminApi#createMerchant}
     */
    public static MerchantApi create(DemoEnv env, Map<String, ?> request, List<String> scopes) {
        AdminApi admin = AdminApi.of(env);
        String id = admin.createMerchant(request);
        String platform = admin.createPlatform(id, "web", "test");
        return new MerchantApi(new Api(env.baseUrl(), admin.createKey(id, "test", scopes)), platform);
    }

    public static String transactionPath(String id) {
        return "/api/v1/transaction/" + id;
    }

    /** @param action of the sandbox, such as {@code pay} */
    public static String sandboxPath(String id, String action) {
        return "/api/v1/sandbox/transaction/" + id + "/" + action;
    }

    /**
     * A valid cashin request with the required members only.
     *
     * @param amount in reais, such as {@code 10.50}
     */
    public Map<String, Object> cashin(String amount) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("name", "Maria Silva");
        request.put("email", "maria@example.com");
        request.put("phone", "11987654321");
        request.put("document", "52998224725");
        request.put("description", "Order 1");
        request.put("amount", amount);
        request.put("platform", platformId);
        return request;
    }

    /**
     * A valid cashout request with the required members only.
     *
     * @param amount in reais, such as {@code 10.50}
     */
    public Map<String, Object> cashout(String amount) {
        Map<String, Object> request = cashin(amount);
        request.put("pix_key", "joao@example.com");
        request.put("key_type", "EMAIL");
        return request;
    }

    public JsonNode createCashin(Map<String, ?> request) {
        return api.post(CASHIN_PATH, request).expect(201).transaction();
    }

    public JsonNode show(String id) {
        return api.get(transactionPath(id)).expect(200).transaction();
    }

    /**
     * The page with its {@code transactions}.
     *
     * @param query such as {@code page=2&status=paid}; may be empty
     */
    public JsonNode list(String query) {
        String path = query.isEmpty() ? TRANSACTIONS_PATH : TRANSACTIONS_PATH + "?" + query;
        return api.get(path).expect(200).json();
    }

    /** Pays a cashin in test mode, as its payer would. */
    public void pay(String id) {
        api.postNothing(sandboxPath(id, "pay")).expectSuccess();
    }

    /** Returns the signing secret. */
    public String registerEndpoint(String url) {
        return register(url).required("secret").asString();
    }

    /** Returns the new endpoint, with its signing secret. */
    public JsonNode register(String url) {
        return api.post(WEBHOOKS_PATH, Map.of("url", url)).expect(201).json();
    }
}
