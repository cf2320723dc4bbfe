package dev.ligeiro.infra.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Notices to a receiver that demands the bank's certificate. */
class NoticesIT {

    private static Bank bank;
    private static Customer customer;
    private static NoticeReceiver receiver;

    @BeforeAll
    static void start(@TempDir Path home) throws IOException {
        bank = Bank.start(new BankSettings(home)
                .settlesAfter(Duration.ofMillis(50))
                .delayMax(Duration.ofMillis(500))
                .webhookUrlsChecked(true));
        customer = Customer.of(bank);
        receiver = new NoticeReceiver(bank, true);
        assertThat(register(receiver).status()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        receiver.close();
        bank.close();
    }

    @AfterEach
    void endFaults() {
        customer.control("PUT", "/faults", "{\"seed\":1,\"rate\":0}");
    }

    private static Customer.Heard register(NoticeReceiver receiver) {
        return customer.put("/webhook/" + bank.pixKey(), "{\"webhookUrl\":\"" + receiver.url() + "\"}");
    }

    @Test
    void urlThatAcceptsEverybodyIsNotRegistered() throws IOException {
        try (NoticeReceiver open = new NoticeReceiver(bank, false)) {
            assertThat(register(open).reason()).isEqualTo("WebhookOperacaoInvalida");
        }
    }

    @Test
    void paymentAndItsRefundAreAnnouncedInTheOfficialForm() {
        String e2eId = customer.paidPix();
        await().until(() -> receiver.of(e2eId).size() == 1);
        assertThat(receiver.of(e2eId).get(0))
                .isEqualTo(customer.get("/pix/" + e2eId).body());
        customer.put("/pix/" + e2eId + "/devolucao/a", "{\"valor\":\"1.00\"}");
        await().until(() -> receiver.of(e2eId).size() == 2);
        assertThat(receiver.of(e2eId).get(1).at("/devolucoes/0/status").asString(""))
                .isEqualTo("DEVOLVIDO");
        OfficialSpecification official = OfficialSpecification.get();
        JsonNode schema = official.at("/components/requestBodies/WebhookPixBody/content/application~1json/schema");
        receiver.bodies().stream()
                .filter(body -> body.contains(e2eId))
                .forEach(body -> assertThat(official.faults(schema, body)).isEmpty());
    }

    @Test
    void sentPixIsAnnouncedInEfisForm() {
        String id = Customer.id();
        String e2eId = customer.sendPix(id, "3.00", "{\"chave\":\"maria@example.com\"}")
                .text("e2eId");
        await().until(() -> !receiver.of(e2eId).isEmpty());
        JsonNode notice = receiver.of(e2eId).get(0);
        assertThat(notice.path("tipo").asString("")).isEqualTo("SOLICITACAO");
        assertThat(notice.path("status").asString("")).isEqualTo("REALIZADO");
        assertThat(notice.at("/gnExtras/idEnvio").asString("")).isEqualTo(id);
        assertThat(notice.has("txid")).isFalse();
    }

    @Test
    void paymentWithoutTxidIsNotAnnounced() {
        String silent = customer.pay("{\"key\":\"" + bank.pixKey() + "\",\"amount\":\"5.00\"}")
                .text("e2e_id");
        String announced = customer.paidPix();
        await().until(() -> !receiver.of(announced).isEmpty());
        assertThat(receiver.of(silent)).isEmpty();
    }

    @Test
    void refusedNoticeComesAgain() {
        receiver.refuseNext(2);
        String e2eId = customer.paidPix();
        await().until(() -> receiver.of(e2eId).size() == 1);
    }

    @Test
    void noticesAreLostDoubledAndSpoiled() {
        String lost = paidWith("notice_lost");
        String doubled = paidWith("notice_doubled");
        String late = paidWith("notice_late");
        String disordered = paidWith("notice_disordered");
        String spoiled = paidWith("notice_without_txid");
        String foreign = paidWith("notice_foreign");
        await().until(() -> receiver.of(doubled).size() == 2
                && receiver.of(late).size() == 1
                && receiver.of(disordered).size() == 1
                && receiver.of(spoiled).size() == 1
                && receiver.of("E00000000" + foreign.substring(9)).size() == 1);
        assertThat(receiver.of(spoiled).get(0).has("txid")).isFalse();
        assertThat(receiver.of(lost)).isEmpty();
    }

    private static String paidWith(String kind) {
        customer.control("PUT", "/faults", "{\"seed\":1,\"rate\":1,\"kinds\":[\"" + kind + "\"]}");
        return customer.paidPix();
    }

    @Test
    void deletedWebhookIsQuiet() {
        customer.call("DELETE", "/webhook/" + bank.pixKey(), "");
        assertThat(customer.sendPix(Customer.id(), "3.00", "{\"chave\":\"maria@example.com\"}")
                        .reason())
                .isEqualTo("webhook_nao_cadastrado");
        assertThat(List.of(register(receiver).status())).containsExactly(200);
    }
}
