package dev.ligeiro.infra.bank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;

/**
 * A running bank with one customer, who has one account, one Pix key, one OAuth2 client and one certificate. It listens on loopback
 * only. What it has answered survives a SIGKILL; a start in the same home directory goes on with it.
 */
public final class Bank implements AutoCloseable {

    /** PEM files: the certificate with its CA, and the key without a password. */
    public record IssuedCertificate(Path certificate, Path key) {}

    static final List<String> LOCAL = List.of("localhost", "127.0.0.1");

    private static final String OWN = "bank";

    private final BankSettings settings;
    private final Certificates certificates;
    private final IssuedCertificate own;
    private final IssuedCertificate customers;
    private final String secret;
    private final Book book;
    private final Settlements settlements;
    private final ApiServer api;
    private final ControlServer control;

    private Bank(BankSettings settings) throws IOException, GeneralSecurityException {
        this.settings = settings;
        Files.createDirectories(settings.home);
        certificates = Certificates.in(settings.home, "Test bank CA");
        own = certificates.issue(OWN, settings.serverNames);
        customers = certificates.issue(settings.clientId, LOCAL);
        secret = secret(settings.home.resolve("client-secret"));
        book = new Book(settings.home.resolve("journal.jsonl"));
        settlements = new Settlements(settings.settlesAfter);
        Faults faults = new Faults(book);
        SSLContext identity = Certificates.context(certificates.ca(), own);
        SSLContext anonymous = Certificates.context(certificates.ca(), null);
        Notices notices = new Notices(book, settings, faults, settlements, identity, anonymous);
        Tokens tokens = new Tokens(settings.clientId, secret, settings.tokenLife);
        Charges charges = new Charges(book, settings);
        ReceivedPix received = new ReceivedPix(book, notices, settlements, settings.payersInNotices);
        Claims claims = new Claims(book, received, settlements);
        SentPix sent = new SentPix(book, settings, notices, settlements);
        api = new ApiServer(settings, Certificates.context(certificates.ca(), own), tokens, faults);
        routes(charges, received, claims, sent, notices);
        received.resume();
        sent.resume();
        api.start();
        control = new ControlServer(book, settings, faults, charges, received, claims, sent, settlements, api);
    }

    /** Starts a bank and waits until it listens. */
    public static Bank start(BankSettings settings) {
        try {
            return new Bank(settings);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("the bank cannot start in " + settings.home + ": " + e, e);
        }
    }

    private void routes(Charges charges, ReceivedPix received, Claims claims, SentPix sent, Notices notices) {
        api.route("POST", "/loc", "payloadlocation.write", charges::createLocation);
        api.route("PUT", "/cob/{}", "cob.write", charges::put);
        api.route("PATCH", "/cob/{}", "cob.write", charges::patch);
        api.route("GET", "/cob/{}", "cob.read", charges::read);
        api.route("GET", "/pix", "pix.read", received::list);
        api.route("GET", "/pix/{}", "pix.read", received::read);
        api.route("PUT", "/pix/{}/devolucao/{}", "pix.write", received::refund);
        api.route("GET", "/pix/{}/devolucao/{}", "pix.read", received::readRefund);
        api.route("PUT", "/webhook/{}", "webhook.write", notices::register);
        api.route("GET", "/webhook/{}", "webhook.read", notices::read);
        api.route("DELETE", "/webhook/{}", "webhook.write", notices::delete);
        api.route("PUT", "/v3/gn/pix/{}", "pix.send", sent::send);
        api.route("GET", "/v2/gn/pix/enviados/id-envio/{}", "gn.pix.send.read", sent::readById);
        api.route("GET", "/v2/gn/pix/enviados", "gn.pix.send.read", sent::list);
        api.route("GET", "/v2/gn/infracoes", "gn.infractions.read", claims::list);
        api.route("POST", "/v2/gn/infracoes/{}/defesa", "gn.infractions.write", claims::defend);
    }

    private static String secret(Path file) throws IOException {
        if (!Files.exists(file)) {
            byte[] bytes = new byte[20];
            new SecureRandom().nextBytes(bytes);
            Certificates.writePrivate(file, HexFormat.of().formatHex(bytes));
        }
        return Files.readString(file);
    }

    /** Scheme, host and port: Efí's calls begin with {@code /v3} or {@code /v2} under it. */
    public String baseUrl() {
        return "https://localhost:" + api.port();
    }

    /** Where BACEN's calls begin: {@code /cob} and the others come after it. */
    public String pixUrl() {
        return baseUrl() + "/api/v2";
    }

    /** {@code POST} here for an access token. */
    public String tokenUrl() {
        return baseUrl() + "/oauth/token";
    }

    /** The control port, see {@code infra/bank/README.md}. */
    public String controlUrl() {
        return "http://127.0.0.1:" + control.port();
    }

    /** The CA of the bank's server certificate, of the customer's and of the one that its notices come with. */
    public Path ca() {
        return certificates.ca();
    }

    /** The customer's certificate. */
    public IssuedCertificate customersCertificate() {
        return customers;
    }

    /** The customer's OAuth2 client id. */
    public String clientId() {
        return settings.clientId;
    }

    /** The customer's OAuth2 secret; the same after each start. */
    public String clientSecret() {
        return secret;
    }

    /** The Pix key of the customer's account. */
    public String pixKey() {
        return settings.pixKey;
    }

    /** The certificate that the bank serves with and sends its notices with, for tests that send notices themselves. */
    public IssuedCertificate ownCertificate() {
        return own;
    }

    /**
     * Issues a certificate of the bank's CA, for client and server, for localhost and 127.0.0.1, with {@code CN=name}; the same one
     * for a name that had one before. Only {@link #customersCertificate} gets a token.
     */
    public IssuedCertificate issue(String name) {
        try {
            return certificates.issue(name, LOCAL);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        control.close();
        api.close();
        settlements.close();
        try {
            book.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs until it is killed. The settings come from the environment, see {@code infra/bank/README.md}. */
    public static void main(String[] args) throws InterruptedException {
        Map<String, String> environment = System.getenv();
        BankSettings settings = new BankSettings(Path.of(environment.getOrDefault("BANK_HOME", ".ligeiro/bank")))
                .port(Integer.parseInt(environment.getOrDefault("BANK_PORT", "8443")))
                .controlPort(Integer.parseInt(environment.getOrDefault("BANK_CONTROL_PORT", "8444")));
        Optional.ofNullable(environment.get("BANK_CLIENT_ID")).ifPresent(settings::clientId);
        Optional.ofNullable(environment.get("BANK_PIX_KEY")).ifPresent(settings::pixKey);
        Optional.ofNullable(environment.get("BANK_CALLS_AT_ONCE"))
                .map(Integer::valueOf)
                .ifPresent(settings::callsAtOnceMax);
        Optional.ofNullable(environment.get("BANK_SETTLES_AFTER_MS"))
                .map(Long::valueOf)
                .map(Duration::ofMillis)
                .ifPresent(settings::settlesAfter);
        Bank bank = start(settings);
        System.out.println("The bank is up at " + bank.baseUrl() + ", its control port at " + bank.controlUrl());
        new CountDownLatch(1).await();
    }
}
