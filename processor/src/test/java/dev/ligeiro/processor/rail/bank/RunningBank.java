package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.infra.bank.Bank;
import dev.ligeiro.infra.bank.BankSettings;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Transaction;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A bank of {@code infra/bank} on real sockets, with what its payers and clerks do, and access to its customer's account. */
public final class RunningBank implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.shared();

    public final Bank bank;
    final MeterRegistry meters = new SimpleMeterRegistry();
    public final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();
    private final HttpClient control = HttpClient.newHttpClient();
    private final Map<String, Integer> moved = new HashMap<>();
    private int ledgerRead;

    public RunningBank(UnaryOperator<BankSettings> settings) {
        try {
            Path home = Files.createTempDirectory("bank");
            bank = Bank.start(settings.apply(new BankSettings(home)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        bundles.registerBundle("bank", bundle(bank.customersCertificate(), bank.ca()));
        // Efí sends only for a key whose notices it can send somewhere; nobody listens there
        account(Clock.systemUTC())
                .put("webhook", "/v2/webhook/" + bank.pixKey(), Map.of("webhookUrl", "https://localhost:9/notices"))
                .onErrorComplete()
                .block();
    }

    public static SslBundle bundle(Bank.IssuedCertificate certificate, Path ca) {
        return SslBundle.of(new PemSslStoreBundle(
                PemSslStoreDetails.forCertificate(
                                certificate.certificate().toUri().toString())
                        .withPrivateKey(certificate.key().toUri().toString()),
                PemSslStoreDetails.forCertificate(ca.toUri().toString())));
    }

    /** @param more settings of the account, such as {@code call-timeout=1s} */
    public BankProperties properties(String... more) {
        List<String> settings = new ArrayList<>(List.of(
                "kind=efi",
                "base-url=" + bank.baseUrl(),
                "token-url=" + bank.tokenUrl(),
                "client-id=" + bank.clientId(),
                "client-secret=" + bank.clientSecret(),
                "ssl-bundle=bank",
                "receiver-key=" + bank.pixKey(),
                "late-arrival=30s"));
        settings.removeIf(setting -> List.of(more).stream()
                .anyMatch(other -> other.startsWith(setting.substring(0, setting.indexOf('=') + 1))));
        settings.addAll(List.of(more));
        return Objects.requireNonNull(Settings.of(
                        LiveRailProperties.class,
                        settings.stream()
                                .map(setting -> "ligeiro.rails.bank." + setting)
                                .toArray(String[]::new))
                .rails()
                .get("bank"));
    }

    public BankAccount account(Clock clock, String... more) {
        return new BankAccount("bank", properties(more), bundles, meters, clock);
    }

    /** A payer pays the charge; false if the payer's bank refuses. */
    public boolean pay(String txid, String... more) {
        StringBuilder body = new StringBuilder("{\"txid\":\"" + txid + "\"");
        for (String field : more) {
            body.append(',').append(field);
        }
        return status("POST", "/payer/pay", body + "}") == 200;
    }

    public void faults(double rate, String... kinds) {
        String names = String.join("\",\"", kinds);
        post("PUT", "/faults", "{\"seed\":1,\"rate\":%s,\"kinds\":[\"%s\"]}".formatted(rate, names));
    }

    /** The bank does each call of this operation, such as {@code PUT /pix/{}/devolucao/{}}, and its answer is lost. */
    public void losesAnswersOf(String operation) {
        faultsOf(operation, "lost_after");
    }

    /** The bank answers each call of this operation with 500 or 503. */
    public void failsIn(String operation) {
        faultsOf(operation, "error_before");
    }

    private void faultsOf(String operation, String kind) {
        post(
                "PUT",
                "/faults",
                "{\"seed\":1,\"rate\":1,\"kinds\":[\"%s\"],\"operations\":[\"%s\"]}".formatted(kind, operation));
    }

    public void noFaults() {
        post("PUT", "/faults", "{\"seed\":1,\"rate\":0}");
    }

    /** How many times the bank has moved the money of a cashout or refund. */
    public synchronized int moved(UUID id) {
        while (true) {
            JsonNode page = post("GET", "/ledger?after=" + ledgerRead, "");
            page.path("entries").forEach(entry -> {
                ledgerRead++;
                if (!entry.path("direction").asString().equals("in")) {
                    moved.merge(entry.path("id").asString(), 1, Integer::sum);
                }
            });
            if (page.path("next_cursor").isNull()) {
                return moved.getOrDefault(hex(id), 0);
            }
        }
    }

    public static String hex(UUID id) {
        return id.toString().replace("-", "");
    }

    public static String txid(Transaction cashin) {
        return hex(cashin.id().value());
    }

    public JsonNode post(String method, String path, String body) {
        HttpResponse<String> response = call(method, path, body);
        if (response.statusCode() != 200) {
            throw new AssertionError(method + " " + path + ": " + response.statusCode() + " " + response.body());
        }
        return JSON.readTree(response.body());
    }

    public int status(String method, String path, String body) {
        return call(method, path, body).statusCode();
    }

    private HttpResponse<String> call(String method, String path, String body) {
        try {
            return control.send(
                    HttpRequest.newBuilder(URI.create(bank.controlUrl() + path))
                            .method(method, HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        bank.close();
    }
}
