package dev.ligeiro.infra.bank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the bank as a customer does, from the PEM files that the bank hands out. */
final class Customer {

    private static final JsonMapper JSON = new JsonMapper();

    private final Place bank;
    private final HttpClient client;
    private String token = "";

    /** Where a bank is and what its customer has. */
    record Place(
            String baseUrl,
            String controlUrl,
            Path ca,
            Bank.IssuedCertificate certificate,
            String clientId,
            String clientSecret,
            String pixKey) {

        static Place of(Bank bank) {
            return new Place(
                    bank.baseUrl(),
                    bank.controlUrl(),
                    bank.ca(),
                    bank.customersCertificate(),
                    bank.clientId(),
                    bank.clientSecret(),
                    bank.pixKey());
        }
    }

    /** @param body a missing node for an empty one */
    record Heard(int status, JsonNode body, HttpResponse<String> response, String request) {

        /** @param pointer as in {@code devolucoes/0/status} */
        String text(String pointer) {
            return body.at("/" + pointer).asString("");
        }

        /** The last part of a problem's {@code type}, or Efí's {@code nome}. */
        String reason() {
            String type = body.path("type").asString("");
            return type.isEmpty()
                    ? body.path("nome").asString(body.path("error").asString(""))
                    : type.replaceAll(".*/", "");
        }
    }

    private Customer(Place bank, SSLContext context) {
        this.bank = bank;
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(context)
                .build();
    }

    /** With a token of all scopes. */
    static Customer of(Bank bank) {
        return of(Place.of(bank));
    }

    static Customer of(Place bank) {
        Customer customer = new Customer(bank, context(bank.ca(), bank.certificate()));
        customer.renewToken();
        return customer;
    }

    static Customer withCertificate(Bank bank, Bank.IssuedCertificate certificate) {
        return new Customer(Place.of(bank), context(bank.ca(), certificate));
    }

    static Customer withoutCertificate(Bank bank) {
        return new Customer(Place.of(bank), context(bank.ca(), null));
    }

    Customer withToken(String other) {
        token = other;
        return this;
    }

    String token() {
        return token;
    }

    void renewToken() {
        token = token("client_id=" + bank.clientId() + "&client_secret=" + bank.clientSecret()
                        + "&grant_type=client_credentials")
                .body()
                .path("access_token")
                .asString("");
    }

    Heard token(String form) {
        return token(form, "");
    }

    Heard token(String form, String authorization) {
        return send(
                HttpRequest.newBuilder(URI.create(bank.baseUrl() + "/oauth/token"))
                        .header("Authorization", authorization),
                "POST",
                form);
    }

    /** A call of BACEN's API. The official specification judges its answer, and the request too if the bank accepts it. */
    Heard call(String method, String path, String body) {
        Heard heard = callUnjudged(method, bank.baseUrl() + "/api/v2" + path, body);
        URI uri = heard.response().uri();
        List<String> faults = OfficialSpecification.get()
                .faults(
                        method,
                        uri.getPath().substring("/api/v2".length()),
                        ApiCall.parse(uri.getRawQuery()),
                        body,
                        heard.status(),
                        heard.response().headers().firstValue("Content-Type").orElse(null),
                        heard.response().body());
        if (!faults.isEmpty()) {
            throw new AssertionError(method + " " + path + " " + body + " " + heard + ": " + faults);
        }
        return heard;
    }

    /** A call of Efí's API, or one with faults. */
    Heard callUnjudged(String method, String url, String body) {
        return send(
                HttpRequest.newBuilder(URI.create(url))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json"),
                method,
                body);
    }

    Heard get(String path) {
        return call("GET", path, "");
    }

    Heard put(String path, String body) {
        return call("PUT", path, body);
    }

    /** {@code PUT /v3/gn/pix/{idEnvio}} */
    Heard sendPix(String id, String amount, String receiver) {
        String body = "{\"valor\":\"" + amount + "\",\"pagador\":{\"chave\":\"" + bank.pixKey() + "\"},\"favorecido\":"
                + receiver + "}";
        return callUnjudged("PUT", bank.baseUrl() + "/v3/gn/pix/" + id, body);
    }

    Heard getSent(String id) {
        return callUnjudged("GET", bank.baseUrl() + "/v2/gn/pix/enviados/id-envio/" + id, "");
    }

    /** The body of a charge of 10.00. */
    String charge() {
        return "{\"calendario\":{\"expiracao\":3600},\"valor\":{\"original\":\"10.00\"},\"chave\":\"" + bank.pixKey()
                + "\"}";
    }

    /** Pays a new charge of 10.00 and returns the end-to-end id. */
    String paidPix() {
        String txid = id();
        call("PUT", "/cob/" + txid, charge());
        return pay("{\"txid\":\"" + txid + "\"}").text("e2e_id");
    }

    Heard pay(String body) {
        return control("POST", "/payer/pay", body);
    }

    static String id() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /** A call of the control port. */
    Heard control(String method, String path, String body) {
        return send(HttpRequest.newBuilder(URI.create(bank.controlUrl() + path)), method, body);
    }

    private Heard send(HttpRequest.Builder request, String method, String body) {
        try {
            request.timeout(Duration.ofSeconds(30)).method(method, BodyPublishers.ofString(body));
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            return new Heard(response.statusCode(), JSON.readTree(response.body()), response, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** @param own null for none */
    static SSLContext context(Path ca, Bank.@Nullable IssuedCertificate own) {
        try {
            return Certificates.context(ca, own);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
