package dev.ligeiro.infra.standalone.endtoend;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A merchant of the running system, in test mode.
 *
 * @param platform one of its platforms
 */
record Merchant(Api api, String platform) {

    static final String CASHIN = "/api/v1/transaction/pix/cashin";
    static final String CASHOUT = "/api/v1/transaction/pix/cashout";

    private static final JsonMapper JSON = new JsonMapper();

    static Merchant demo(Environment environment) {
        return new Merchant(
                new Api(environment.get("BASE_URL"), environment.get("API_KEY")), environment.get("PLATFORM_ID"));
    }

    /** A new one, made by the admin API. */
    static Merchant create(Environment environment) {
        Api admin = new Api(environment.get("ADMIN_URL"), environment.get("ADMIN_TOKEN"));
        String merchant =
                "/admin/merchants/" + made(admin, "/admin/merchants", "name", "A merchant of the tests", "id");
        String platform = made(admin, merchant + "/platforms", "name", "web", "id");
        String key = made(admin, merchant + "/keys", "mode", "test", "key");
        return new Merchant(new Api(environment.get("BASE_URL"), key), platform);
    }

    private static String made(Api admin, String path, String field, String value, String wanted) {
        ObjectNode request = JSON.createObjectNode().put("mode", "test").put(field, value);
        return admin.post(path, request).expect(201).json().required(wanted).asString();
    }

    /** A valid cashin without what is optional. */
    ObjectNode cashin(String amount) {
        return JSON.createObjectNode()
                .put("name", "Maria da Conceição")
                .put("email", "maria@example.com")
                .put("phone", "11987654321")
                .put("document", "52998224725")
                .put("description", "Order 77")
                .put("amount", amount)
                .put("platform", platform);
    }

    /** A valid cashout without what is optional. */
    ObjectNode cashout(String amount) {
        return cashin(amount).put("pix_key", "joao@example.com").put("key_type", "EMAIL");
    }

    Shown create(String path, ObjectNode request) {
        return api.post(path, request).expect(201).transaction();
    }

    Shown show(String id) {
        return tryToShow(id).expect(200).transaction();
    }

    Answer tryToShow(String id) {
        return api.get("/api/v1/transaction/" + id);
    }

    /** Does what the payer would do, again as long as told to come again. */
    void pay(String id) {
        await().atMost(Duration.ofMinutes(1)).until(() -> tryToPay(id).status() != 503);
    }

    Answer tryToPay(String id) {
        return api.post("/api/v1/sandbox/transaction/" + id + "/pay", "");
    }
}
