package dev.ligeiro.infra.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who gets in: certificates, tokens, scopes and the number of calls at once. */
class AccessIT {

    private static final String UNKNOWN_CHARGE = "/cob/0000000000000000000000000000000000";

    private static Bank bank;

    @BeforeAll
    static void start(@TempDir Path home) {
        bank = Bank.start(new BankSettings(home)
                .callsAtOnceMax(2)
                .tokenLife(Duration.ofSeconds(3))
                .delayMax(Duration.ofSeconds(2)));
    }

    @AfterAll
    static void stop() {
        bank.close();
    }

    @Test
    void callerWithoutCertificateIsRefused() {
        Customer customer =
                Customer.withoutCertificate(bank).withToken(Customer.of(bank).token());
        assertThatThrownBy(() -> customer.get(UNKNOWN_CHARGE)).hasCauseInstanceOf(IOException.class);
    }

    @Test
    void callerWithACertificateOfAnotherAuthorityIsRefused(@TempDir Path other) {
        try (Bank otherBank = Bank.start(new BankSettings(other))) {
            Customer customer = Customer.withCertificate(bank, otherBank.customersCertificate());
            assertThatThrownBy(() -> customer.get(UNKNOWN_CHARGE)).hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void customerRefusesABankWithAnotherName(@TempDir Path home) {
        try (Bank other = Bank.start(new BankSettings(home).serverNames("bank.example"))) {
            assertThatThrownBy(() -> Customer.of(other))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasCauseInstanceOf(SSLException.class);
        }
    }

    @Test
    void certificateOfAnotherCustomerGetsNoToken() {
        Customer other = Customer.withCertificate(bank, bank.issue("somebody"));
        assertThat(other.token(form(bank.clientSecret())).reason()).isEqualTo("invalid_client");
    }

    @Test
    void tokenIsBoundToTheCertificate() {
        Customer thief = Customer.withCertificate(bank, bank.issue("thief"))
                .withToken(Customer.of(bank).token());
        assertThat(thief.get(UNKNOWN_CHARGE).status()).isEqualTo(401);
    }

    @Test
    void tokenEnds() {
        Customer customer = Customer.of(bank);
        assertThat(customer.get(UNKNOWN_CHARGE).status()).isEqualTo(404);
        await().untilAsserted(
                        () -> assertThat(customer.get(UNKNOWN_CHARGE).status()).isEqualTo(401));
        customer.renewToken();
        assertThat(customer.get(UNKNOWN_CHARGE).status()).isEqualTo(404);
    }

    @Test
    void tokenIsGoodForItsScopesOnly() {
        Customer customer = Customer.of(bank);
        Customer.Heard token = customer.token(form(bank.clientSecret()) + "&scope=cob.read+cobv.read");
        assertThat(token.text("scope")).isEqualTo("cob.read");
        customer.withToken(token.text("access_token"));
        assertThat(customer.get(UNKNOWN_CHARGE).status()).isEqualTo(404);
        assertThat(customer.put("/cob/" + Customer.id(), customer.charge()).reason())
                .isEqualTo("AcessoNegado");
        assertThat(customer.token(form(bank.clientSecret()) + "&scope=cobv.read")
                        .reason())
                .isEqualTo("invalid_scope");
    }

    @Test
    void secretComesInTheHeaderOrInAFormOrInJson() {
        Customer customer = Customer.withCertificate(bank, bank.customersCertificate());
        String both = bank.clientId() + ":" + bank.clientSecret();
        String basic = "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
        assertThat(customer.token("{\"grant_type\":\"client_credentials\"}", basic)
                        .status())
                .isEqualTo(200);
        assertThat(customer.token("grant_type=client_credentials", basic).status())
                .isEqualTo(200);
        assertThat(customer.token(form(bank.clientSecret())).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "client_id=ligeiro&client_secret=wrong&grant_type=client_credentials | 401 | invalid_client",
                "client_id=other&client_secret=SECRET&grant_type=client_credentials   | 401 | invalid_client",
                "client_id=ligeiro&client_secret=SECRET&grant_type=password           | 400 | unsupported_grant_type",
                "{\"client_id\":                                                      | 400 | invalid_request"
            })
    void refusesAToken(String form, int status, String error) {
        Customer customer = Customer.withCertificate(bank, bank.customersCertificate());
        Customer.Heard heard = customer.token(form.replace("SECRET", bank.clientSecret()));
        assertThat(heard.reason()).isEqualTo(error);
        assertThat(heard.status()).isEqualTo(status);
    }

    @Test
    void moreCallsAtOnceThanTheAccountPermitsAreRefused() {
        Customer customer = Customer.of(bank);
        customer.control("PUT", "/faults", "{\"seed\":1,\"rate\":1,\"kinds\":[\"slow\"]}");
        ExecutorService threads = Executors.newFixedThreadPool(6);
        List<CompletableFuture<Integer>> calls = IntStream.range(0, 6)
                .mapToObj(call -> CompletableFuture.supplyAsync(
                        () -> customer.get(UNKNOWN_CHARGE).status(), threads))
                .toList();
        List<Integer> statuses = calls.stream().map(CompletableFuture::join).toList();
        threads.shutdown();
        customer.control("PUT", "/faults", "{\"seed\":1,\"rate\":0}");
        assertThat(statuses).contains(429);
        assertThat(customer.control("GET", "/calls", "")
                        .body()
                        .path("at_once_max")
                        .asInt())
                .isLessThanOrEqualTo(2);
    }

    private static String form(String secret) {
        return "client_id=" + bank.clientId() + "&client_secret=" + secret + "&grant_type=client_credentials";
    }
}
