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

/** The little of the gateway's HTTP API that making a merchant takes. */
final class AdminApi {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String baseUrl;
    private final String adminUrl;
    private final String adminToken;

    AdminApi(String baseUrl, String adminUrl, String adminToken) {
        this.baseUrl = baseUrl;
        this.adminUrl = adminUrl;
        this.adminToken = adminToken;
    }

    /** A new merchant with a platform and a key, all in test mode. */
    DemoMerchant createDemoMerchant() {
        String merchantId = id(post("/admin/merchants", Map.of("name", "Demo merchant")));
        String merchant = "/admin/merchants/" + merchantId;
        String platformId = id(post(merchant + "/platforms", Map.of("name", "Demo platform", "mode", "test")));
        JsonNode key = post(merchant + "/keys", Map.of("mode", "test"));
        return new DemoMerchant(merchantId, platformId, key.required("key").asString());
    }

    /** Whether the key still opens the gateway: the database may have been emptied, or be another one. */
    boolean accepts(DemoMerchant merchant) {
        HttpRequest list = HttpRequest.newBuilder(URI.create(baseUrl + "/api/v1/transactions"))
                .header("Authorization", "Bearer " + merchant.apiKey())
                .timeout(ANSWER_WITHIN)
                .build();
        return send(list).statusCode() != 401;
    }

    private JsonNode post(String path, Map<String, String> body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(adminUrl + path))
                .header("Authorization", "Bearer " + adminToken)
                .header("Content-Type", "application/json")
                .timeout(ANSWER_WITHIN)
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        HttpResponse<String> response = send(request);
        if (response.statusCode() / 100 != 2) {
            throw new CannotStartException(
                    "the gateway answered %d to POST %s: %s".formatted(response.statusCode(), path, response.body()));
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
            throw new CannotStartException("interrupted while making the demo merchant", e);
        }
    }

    private static String id(JsonNode created) {
        return created.required("id").asString();
    }
}
