package dev.ligeiro.infra.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** What goes wrong on purpose, each kind alone. */
class FaultsIT {

    private static Bank bank;
    private static Customer customer;

    @BeforeAll
    static void start(@TempDir Path home) {
        bank = Bank.start(
                new BankSettings(home).settlesAfter(Duration.ofMillis(20)).delayMax(Duration.ofMillis(300)));
        customer = Customer.of(bank);
    }

    @AfterAll
    static void stop() {
        bank.close();
    }

    @AfterEach
    void end() {
        set(0, 1, "");
        customer.renewToken();
    }

    private static void set(double rate, long seed, String kinds) {
        String body = "{\"seed\":" + seed + ",\"rate\":" + rate + ",\"kinds\":[" + kinds + "]}";
        assertThat(customer.control("PUT", "/faults", body).status()).isEqualTo(200);
    }

    private static void only(Faults.Kind kind) {
        set(1, 1, "\"" + kind.name().toLowerCase(Locale.ROOT) + "\"");
    }

    private static List<JsonNode> injected() {
        return customer.control("GET", "/faults", "")
                .body()
                .path("injected")
                .valueStream()
                .toList();
    }

    private static Customer.Heard put(String txid) {
        return customer.callUnjudged("PUT", bank.pixUrl() + "/cob/" + txid, customer.charge());
    }

    private static boolean exists(String txid) {
        set(0, 1, "");
        customer.renewToken();
        return customer.get("/cob/" + txid).status() == 200;
    }

    @Test
    void sameSeedMeetsTheSameFaults() {
        List<String> first = run(7);
        assertThat(run(7)).isEqualTo(first);
        assertThat(run(8)).isNotEqualTo(first);
    }

    /** The faults of 40 charges with other ids. */
    private static List<String> run(long seed) {
        int before = injected().size();
        set(0.3, seed, "\"error_before\",\"error_after\",\"busy\",\"repeated\"");
        List<String> statuses = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            statuses.add(String.valueOf(put(Customer.id()).status()));
        }
        injected().stream()
                .skip(before)
                .map(fault -> fault.path("kind").asString(""))
                .forEach(statuses::add);
        return statuses;
    }

    @Test
    void planWithoutKindsMovesNoMoney() {
        set(1, 1, "");
        List<JsonNode> kinds = customer.control("GET", "/faults", "")
                .body()
                .path("kinds")
                .valueStream()
                .toList();
        assertThat(kinds.stream().map(kind -> kind.asString("")))
                .contains("lost_before", "lost_after", "slow", "notice_lost")
                .doesNotContain("second_payment", "other_amount", "unasked_refund", "broken_json");
    }

    @Test
    void planWithOperationsSparesTheOthers() {
        String txid = Customer.id();
        String plan = "{\"seed\":1,\"rate\":1,\"kinds\":[\"lost_after\"],\"operations\":[\"%s\"]}";
        assertThat(customer.control("PUT", "/faults", plan.formatted("PUT /cob/{}"))
                        .status())
                .isEqualTo(200);
        assertThatThrownBy(() -> put(txid)).isInstanceOf(UncheckedIOException.class);
        assertThat(customer.get("/cob/" + txid).status()).isEqualTo(200);

        Customer.Heard misspelt = customer.control("PUT", "/faults", plan.formatted("PUT /cobs/{}"));
        assertThat(misspelt.status()).isEqualTo(400);
        assertThat(misspelt.body().toString()).contains("operations", "PUT /cob/{}");
    }

    @Test
    void answerIsLostBeforeTheEffect() {
        String txid = Customer.id();
        only(Faults.Kind.LOST_BEFORE);
        assertThatThrownBy(() -> put(txid)).isInstanceOf(UncheckedIOException.class);
        assertThat(exists(txid)).isFalse();
    }

    @Test
    void answerIsLostAfterTheEffect() {
        String txid = Customer.id();
        only(Faults.Kind.LOST_AFTER);
        assertThatThrownBy(() -> put(txid)).isInstanceOf(UncheckedIOException.class);
        assertThat(exists(txid)).isTrue();
    }

    @Test
    void errorComesBeforeOrAfterTheEffect() {
        String before = Customer.id();
        only(Faults.Kind.ERROR_BEFORE);
        assertThat(put(before).status()).isGreaterThanOrEqualTo(500);
        String after = Customer.id();
        only(Faults.Kind.ERROR_AFTER);
        assertThat(put(after).status()).isGreaterThanOrEqualTo(500);
        assertThat(exists(before)).isFalse();
        assertThat(exists(after)).isTrue();
    }

    @Test
    void repeatedSendIsRefusedBecauseItsFirstWorked() {
        customer.put("/webhook/" + bank.pixKey(), "{\"webhookUrl\":\"https://localhost:1/\"}");
        String id = Customer.id();
        only(Faults.Kind.REPEATED);
        assertThat(customer.sendPix(id, "2.00", "{\"chave\":\"maria@example.com\"}")
                        .reason())
                .isEqualTo("id_envio_duplicado");
        set(0, 1, "");
        await().untilAsserted(
                        () -> assertThat(customer.getSent(id).text("status")).isEqualTo("REALIZADO"));
    }

    @Test
    void tokenEndsBeforeItsTime() {
        String txid = Customer.id();
        only(Faults.Kind.EXPIRED_TOKEN);
        assertThat(put(txid).status()).isEqualTo(401);
        set(0, 1, "");
        assertThat(put(txid).status()).isEqualTo(401);
        customer.renewToken();
        assertThat(put(txid).status()).isEqualTo(201);
    }

    @Test
    void nextHandshakeFails() {
        only(Faults.Kind.TLS_BROKEN);
        put(Customer.id());
        set(0, 1, "");
        assertThatThrownBy(() -> Customer.withCertificate(bank, bank.customersCertificate())
                        .token(""))
                .isInstanceOf(UncheckedIOException.class);
        Customer.of(bank);
    }

    @ParameterizedTest
    @ValueSource(strings = {"BUSY", "SLOW", "LATE_ANSWER"})
    void answerIsLateOrBusy(Faults.Kind kind) {
        only(kind);
        assertThat(put(Customer.id()).status()).isEqualTo(kind == Faults.Kind.BUSY ? 429 : 201);
    }

    @Test
    void answerIsSpoiled() {
        only(Faults.Kind.BROKEN_JSON);
        assertThatThrownBy(() -> put(Customer.id())).isInstanceOf(JacksonException.class);
        only(Faults.Kind.HUGE_ANSWER);
        assertThat(put(Customer.id()).response().body()).hasSizeGreaterThan(10_000_000);
        only(Faults.Kind.UNKNOWN_STATUS);
        assertThat(put(Customer.id()).text("status")).isEqualTo("EM_ANALISE_NOVA");
        only(Faults.Kind.NUMBER_AMOUNT);
        assertThat(put(Customer.id()).body().at("/valor/original").isNumber()).isTrue();
        only(Faults.Kind.TIME_WITHOUT_ZONE);
        assertThat(put(Customer.id()).text("calendario/criacao")).doesNotEndWith("Z");
    }

    @Test
    void payerPaysTwiceOrAnotherAmountWhenNamed() {
        String twice = Customer.id();
        String other = Customer.id();
        put(twice);
        put(other);
        only(Faults.Kind.SECOND_PAYMENT);
        customer.pay("{\"txid\":\"" + twice + "\"}");
        only(Faults.Kind.OTHER_AMOUNT);
        customer.pay("{\"txid\":\"" + other + "\"}");
        set(0, 1, "");
        assertThat(customer.get("/cob/" + twice).body().path("pix")).hasSize(2);
        assertThat(customer.get("/cob/" + other).text("pix/0/valor")).isEqualTo("10.01");
        assertThat(injected())
                .anySatisfy(fault -> assertThat(fault.path("id").asString("")).isEqualTo(twice));
    }

    @Test
    void bankRefundsUnaskedWhenNamed() {
        String txid = Customer.id();
        put(txid);
        only(Faults.Kind.UNASKED_REFUND);
        String e2eId = customer.pay("{\"txid\":\"" + txid + "\"}").text("e2e_id");
        set(0, 1, "");
        await().untilAsserted(() -> assertThat(customer.get("/pix/" + e2eId).text("devolucoes/0/status"))
                .isEqualTo("DEVOLVIDO"));
    }
}
