package dev.ligeiro.gateway;

import java.net.URI;
import java.net.http.*;
import org.junit.jupiter.api.Test;

class SmokeIT {
    final HttpClient http = HttpClient.newHttpClient();

    String call(String method, String url, String token, String body) throws Exception {
        var b = HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer " + token);
        if (!body.isEmpty()) b.header("Content-Type", "application/json");
        var r = http.send(
                b.method(
                                method,
                                body == null
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        System.out.println("## " + method + " " + url + " " + r.statusCode() + " "
                + r.headers().map() + "\n" + r.body());
        return r.body();
    }

    static String field(String json, String f) {
        int i = json.indexOf("\"" + f + "\":\"") + f.length() + 4;
        return json.substring(i, json.indexOf('"', i));
    }

    @Test
    void smoke() throws Exception {
        try (RunningGateway g = RunningGateway.start()) {
            String t = RunningGateway.ADMIN_TOKEN;
            String m = g.managementUrl();
            call("GET", m + "/actuator/health/readiness", t, "");
            call("GET", g.url() + "/actuator/health/readiness", t, "");
            call("POST", m + "/api/v1/transaction/pix/cashin", t, "{}");
            String merchant = field(
                    call(
                            "POST",
                            m + "/admin/merchants",
                            t,
                            "{\"name\":\"Café\",\"fees\":{\"cashin\":{\"percent\":\"1\"}}}"),
                    "id");
            String platform = field(
                    call(
                            "POST",
                            m + "/admin/merchants/" + merchant + "/platforms",
                            t,
                            "{\"name\":\"web\",\"mode\":\"test\"}"),
                    "id");
            String key =
                    field(call("POST", m + "/admin/merchants/" + merchant + "/keys", t, "{\"mode\":\"test\"}"), "key");
            call("POST", m + "/admin/merchants/" + merchant + "/keys", "x", "{\"mode\":\"test\"}");
            String c = call(
                    "POST",
                    g.url() + "/api/v1/transaction/pix/cashin",
                    key,
                    "{\"name\":\"Zoë da Silva\",\"email\":\"zoe@example.com\",\"phone\":\"11987654321\",\"description\":\"x\",\"document\":\"529.982.247-25\",\"amount\":10.5,\"platform\":\""
                            + platform + "\",\"reference\":\"r1\"}");
            String id = field(c, "id");
            call(
                    "POST",
                    g.url() + "/api/v1/transaction/pix/cashin",
                    key,
                    "{\"name\":\"Zoë da Silva\",\"email\":\"zoe@example.com\",\"phone\":\"11987654321\",\"description\":\"x\",\"document\":\"529.982.247-25\",\"amount\":10.5,\"platform\":\""
                            + platform + "\",\"reference\":\"r1\"}");
            call("POST", g.url() + "/api/v1/transaction/pix/cashin", key, "{}");
            call("GET", g.url() + "/api/v1/transaction/" + id, key, "");
            call("GET", g.url() + "/api/v1/transactions?name_document=zoe&page=1", key, "");
            call("GET", g.url() + "/api/v1/transactions?nam=zoe", key, "");
            call("GET", g.url() + "/api/v1/transaction/pix/cashin", key, "");
            call("GET", g.url() + "/nope", key, "");
            call("GET", g.url() + "/checkout/" + id, key, "");
            String w = call("POST", g.url() + "/api/v1/webhooks", key, "{\"url\":\"https://example.com/x\"}");
            call("GET", g.url() + "/api/v1/webhooks", key, "");
            call("DELETE", g.url() + "/api/v1/webhooks/" + field(w, "id"), key, "");
            call("POST", g.url() + "/api/v1/sandbox/transaction/" + id + "/pay", key, "");
        }
    }
}
