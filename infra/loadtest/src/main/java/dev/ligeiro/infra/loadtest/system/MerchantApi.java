package dev.ligeiro.infra.loadtest.system;

import dev.ligeiro.infra.loadtest.generate.Merchant;
import dev.ligeiro.transaction.TransactionId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The calls that no load is made of: a merchant for the test, its endpoint, a look at a list. */
public final class MerchantApi {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration ANSWER_MAX = Duration.ofSeconds(20);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final DemoEnv env;

    public MerchantApi(DemoEnv env) {
        this.env = env;
    }

    /** A merchant in test mode that nobody else uses: all that is stored for it is the load test's. */
    public Merchant createMerchant() {
        Map<String, Object> fees = Map.of("cashin", Map.of("percent", "0.99"), "cashout", Map.of("fixed", "0.50"));
        String id = admin("/admin/merchants", Map.of("name", "Load test", "fees", fees))
                .required("id")
                .asString();
        String merchant = "/admin/merchants/" + id;
        String platform = admin(merchant + "/platforms", Map.of("name", "Load test", "mode", "test"))
                .required("id")
                .asString();
        String key = admin(merchant + "/keys", Map.of("mode", "test"))
                .required("key")
                .asString();
        return new Merchant(URI.create(env.get("BASE_URL")), key, platform);
    }

    /** Returns the signing secret. */
    public String registerEndpoint(Merchant merchant, String url) {
        return post(merchant.baseUrl() + "/api/v1/webhooks", merchant.apiKey(), Map.of("url", url))
                .required("secret")
                .asString();
    }

    /** A pending cashin; returns its id. */
    public TransactionId create(Merchant merchant) {
        Map<String, Object> cashin = Map.of(
                "name", "Maria Souza",
                "email", "maria@example.com",
                "phone", "+5511987654321",
                "description", "Load test",
                "document", "52998224725",
                "amount", "10.50",
                "platform", merchant.platformId());
        JsonNode created = post(merchant.baseUrl() + "/api/v1/transaction/pix/cashin", merchant.apiKey(), cashin);
        return TransactionId.parse(created.required("transaction")
                        .required(0)
                        .required("id")
                        .asString())
                .orElseThrow();
    }

    /** A page of the merchant's list. */
    public JsonNode list(Merchant merchant, int page) {
        URI uri = URI.create(merchant.baseUrl() + "/api/v1/transactions?page=" + page);
        return send(HttpRequest.newBuilder(uri).GET(), merchant.apiKey());
    }

    private JsonNode admin(String path, Map<String, ?> body) {
        return post(env.get("ADMIN_URL") + path, env.get("ADMIN_TOKEN"), body);
    }

    private JsonNode post(String url, String token, Map<String, ?> body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
        return send(request, token);
    }

    private JsonNode send(HttpRequest.Builder request, String token) {
        HttpRequest ready = request.header("Authorization", "Bearer " + token)
                .header("Accept", "application/json")
                .timeout(ANSWER_MAX)
                .build();
        try {
            HttpResponse<String> response = http.send(ready, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() / 100 != 2) {
                throw new CannotRunException("%s %s was answered %d: %s"
                        .formatted(ready.method(), ready.uri(), response.statusCode(), response.body()));
            }
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new CannotRunException(ready.uri() + " does not answer: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotRunException("interrupted", e);
        }
    }
}
