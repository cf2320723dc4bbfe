package dev.ligeiro.infra.standalone;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The little of the gateway's HTTP API that the launcher calls. */
final class GatewayApi {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String baseUrl;
    private final String adminUrl;
    private final String adminToken;

    GatewayApi(String baseUrl, String adminUrl, String adminToken) {
        this.baseUrl = baseUrl;
        this.adminUrl = adminUrl;
        this.adminToken = adminToken;
    }

    /** A new merchant with a platform and a key, all in test mode. */
    DemoMerchant createDemoMerchant() {
        String merchantId = id(postAsAdmin("/admin/merchants", Map.of("name", "Demo merchant")));
        String merchant = "/admin/merchants/" + merchantId;
        String platformId = id(postAsAdmin(merchant + "/platforms", Map.of("name", "Demo platform", "mode", "test")));
        JsonNode key = postAsAdmin(merchant + "/keys", Map.of("mode", "test"));
        return new DemoMerchant(merchantId, platformId, key.required("key").asString());
    }

    /** Whether the key still opens the gateway: the database may have been emptied, or be another one. */
    boolean accepts(DemoMerchant merchant) {
        return send(asMerchant(merchant, "/api/v1/transactions").build()).statusCode() != 401;
    }

    /** A new cashin that the simulated rail pays at once (design §2); its id. */
    String createPaidCashin(DemoMerchant merchant) {
        Map<String, String> cashin = Map.of(
                "name", "Maria Silva",
                "email", "maria@example.com",
                "phone", "11987654321",
                "document", "52998224725",
                "description", "Order 1",
                "amount", "10.11",
                "platform", merchant.platformId());
        JsonNode created = post(asMerchant(merchant, "/api/v1/transaction/pix/cashin"), cashin);
        return id(created.required("transaction").required(0));
    }

    boolean isPaid(DemoMerchant merchant, String id) {
        HttpResponse<String> shown =
                send(asMerchant(merchant, "/api/v1/transaction/" + id).build());
        return requireSuccess(shown)
                .required("transaction")
                .required(0)
                .required("status")
                .asString()
                .equals("paid");
    }

    private JsonNode postAsAdmin(String path, Map<String, String> body) {
        return post(request(adminUrl + path, adminToken), body);
    }

    private HttpRequest.Builder asMerchant(DemoMerchant merchant, String path) {
        return request(baseUrl + path, merchant.apiKey());
    }

    private static HttpRequest.Builder request(String url, String bearer) {
        return HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + bearer)
                .timeout(ANSWER_WITHIN);
    }

    private JsonNode post(HttpRequest.Builder request, Map<String, String> body) {
        return requireSuccess(send(request.header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build()));
    }

    private static JsonNode requireSuccess(HttpResponse<String> response) {
        if (response.statusCode() / 100 != 2) {
            throw new CannotStartException("the gateway answered %d to %s %s: %s"
                    .formatted(
                            response.statusCode(),
                            response.request().method(),
                            response.request().uri().getPath(),
                            response.body()));
        }
        return JSON.readTree(response.body());
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new CannotStartException("the gateway does not answer %s: %s".formatted(request.uri(), e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotStartException("interrupted while waiting for the gateway", e);
        }
    }

    private static String id(JsonNode created) {
        return created.required("id").asString();
    }
}
