package dev.ligeiro.infra.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Charges, payments, refunds and sends without faults. */
class BankIT {

    private static final String RECEIVER = "{\"chave\":\"maria@example.com\"}";

    private static Bank bank;
    private static Customer customer;

    @BeforeAll
    static void start(@TempDir Path home) {
        bank = Bank.start(new BankSettings(home).settlesAfter(Duration.ofMillis(50)));
        customer = Customer.of(bank);
        customer.put("/webhook/" + bank.pixKey(), "{\"webhookUrl\":\"https://localhost:1/\"}");
    }

    @AfterAll
    static void stop() {
        bank.close();
    }

    @Test
    void codeFromALocationPaysTheChargeThatIsAttachedLater() {
        Customer.Heard location = customer.call("POST", "/loc", "{\"tipoCob\":\"cob\"}");
        String code = PaymentCode.of(location.text("location"), "SHOP", "RIO");
        assertThat(customer.pay("{\"qr_code\":\"" + code + "\"}").reason()).isEqualTo("location_without_charge");
        String txid = Customer.id();
        customer.put("/cob/" + txid, with(customer.charge(), "\"loc\":{\"id\":" + location.text("id") + "}"));
        Customer.Heard paid = customer.pay("{\"qr_code\":\"" + code + "\"}");
        assertThat(customer.get("/cob/" + txid).text("pix/0/endToEndId")).isEqualTo(paid.text("e2e_id"));
        assertThat(customer.get("/cob/" + txid).text("status")).isEqualTo("CONCLUIDA");
    }

    @Test
    void locationServesOneChargeAtATime() {
        String location = customer.call("POST", "/loc", "{\"tipoCob\":\"cob\"}").text("id");
        String charge = with(customer.charge(), "\"loc\":{\"id\":" + location + "}");
        String first = Customer.id();
        assertThat(customer.put("/cob/" + first, charge).status()).isEqualTo(201);
        assertThat(customer.put("/cob/" + Customer.id(), charge).reason()).isEqualTo("CobOperacaoInvalida");
        customer.call("PATCH", "/cob/" + first, "{\"status\":\"REMOVIDA_PELO_USUARIO_RECEBEDOR\"}");
        assertThat(customer.put("/cob/" + Customer.id(), charge).status()).isEqualTo(201);
    }

    @Test
    void usedChargeIsPaidAgainOnlyWhenThePayerInsists() {
        String txid = Customer.id();
        customer.put("/cob/" + txid, customer.charge());
        assertThat(customer.pay("{\"txid\":\"" + txid + "\",\"amount\":\"11.00\"}")
                        .reason())
                .isEqualTo("other_amount");
        assertThat(customer.pay("{\"txid\":\"" + txid + "\"}").status()).isEqualTo(200);
        assertThat(customer.pay("{\"txid\":\"" + txid + "\"}").status()).isEqualTo(409);
        assertThat(customer.pay("{\"txid\":\"" + txid + "\",\"anyway\":true,\"amount\":\"3.00\"}")
                        .status())
                .isEqualTo(200);
        assertThat(customer.get("/cob/" + txid).body().path("pix")).hasSize(2);
        String removed = Customer.id();
        customer.put("/cob/" + removed, customer.charge());
        customer.call("PATCH", "/cob/" + removed, "{\"status\":\"REMOVIDA_PELO_USUARIO_RECEBEDOR\"}");
        assertThat(customer.pay("{\"txid\":\"" + removed + "\"}").reason()).isEqualTo("charge_removed");
        assertThat(customer.pay("{\"txid\":\"" + removed + "\",\"anyway\":true}")
                        .status())
                .isEqualTo(200);
        assertThat(customer.get("/cob/" + removed).text("status")).isEqualTo("REMOVIDA_PELO_USUARIO_RECEBEDOR");
    }

    @Test
    void paymentToTheKeyIsFoundOnlyInTheList() {
        Instant before = Book.now();
        String e2eId = customer.pay("{\"key\":\"" + bank.pixKey() + "\",\"amount\":\"5.00\"}")
                .text("e2e_id");
        Customer.Heard list = customer.get("/pix?inicio=" + before + "&fim=" + Book.now() + "&txIdPresente=false");
        assertThat(list.text("pix/0/endToEndId")).isEqualTo(e2eId);
    }

    @Test
    void listsComeInPages() {
        Instant day = Instant.parse("2026-01-01T00:00:00Z");
        for (int second = 0; second < 5; second++) {
            customer.pay("{\"key\":\"" + bank.pixKey() + "\",\"amount\":\"5.00\",\"at\":\"" + day.plusSeconds(second)
                    + "\"}");
        }
        String span = "/pix?inicio=" + day + "&fim=" + day.plusSeconds(3) + "&paginacao.itensPorPagina=3";
        Customer.Heard second = customer.get(span + "&paginacao.paginaAtual=1");
        assertThat(second.body().path("pix")).hasSize(1);
        assertThat(second.text("pix/0/horario")).isEqualTo(day.plusSeconds(3).toString());
        assertThat(second.text("parametros/paginacao/quantidadeDePaginas")).isEqualTo("2");
        assertThat(second.text("parametros/paginacao/quantidadeTotalDeItens")).isEqualTo("4");
    }

    @Test
    void refundsStayWithinThePixAndItsNinetyDays() {
        String e2eId = customer.paidPix();
        String path = "/pix/" + e2eId + "/devolucao/";
        assertThat(customer.put(path + "a", "{\"valor\":\"6.00\"}").status()).isEqualTo(201);
        assertThat(customer.put(path + "a", "{\"valor\":\"1.00\"}").reason()).isEqualTo("PixDevolucaoInvalida");
        assertThat(customer.put(path + "b", "{\"valor\":\"4.01\"}").reason()).isEqualTo("PixDevolucaoInvalida");
        await().untilAsserted(() ->
                assertThat(customer.get(path + "a").text("status")).isEqualTo("DEVOLVIDO"));
        String old = customer.pay("{\"key\":\"" + bank.pixKey() + "\",\"amount\":\"5.00\",\"at\":\""
                        + Book.now().minus(Duration.ofDays(91)) + "\"}")
                .text("e2e_id");
        assertThat(customer.put("/pix/" + old + "/devolucao/c", "{\"valor\":\"1.00\"}")
                        .reason())
                .isEqualTo("PixDevolucaoInvalida");
    }

    @Test
    void refundOfThirteenThirteenFailsWithAReason() {
        String e2eId = customer.pay("{\"key\":\"" + bank.pixKey() + "\",\"amount\":\"20.00\"}")
                .text("e2e_id");
        String path = "/pix/" + e2eId + "/devolucao/a";
        customer.put(path, "{\"valor\":\"13.13\"}");
        await().untilAsserted(
                        () -> assertThat(customer.get(path).text("status")).isEqualTo("NAO_REALIZADO"));
        assertThat(customer.get(path).text("motivo")).isNotEmpty();
        assertThat(customer.put("/pix/" + e2eId + "/devolucao/b", "{\"valor\":\"20.00\"}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void bankRefundsWithoutBeingAsked() {
        String e2eId = customer.paidPix();
        Customer.Heard refund = customer.control(
                "POST",
                "/payer/refund",
                "{\"e2e_id\":\"" + e2eId + "\",\"amount\":\"10.00\",\"nature\":\"MED_FRAUDE\"}");
        String path = "/pix/" + e2eId + "/devolucao/" + refund.text("id");
        await().untilAsserted(
                        () -> assertThat(customer.get(path).text("status")).isEqualTo("DEVOLVIDO"));
        assertThat(customer.get(path).text("natureza")).isEqualTo("MED_FRAUDE");
    }

    @Test
    void sendIsProcessedAndThenDone() {
        String id = Customer.id();
        Customer.Heard sent = customer.sendPix(id, "7.00", RECEIVER);
        assertThat(sent.status()).isEqualTo(201);
        assertThat(sent.text("status")).isEqualTo("EM_PROCESSAMENTO");
        await().untilAsserted(
                        () -> assertThat(customer.getSent(id).text("status")).isEqualTo("REALIZADO"));
        assertThat(customer.sendPix(id, "7.00", RECEIVER).reason()).isEqualTo("id_envio_duplicado");
        assertThat(ledger().stream()
                        .filter(entry -> entry.path("id").asString("").equals(id)))
                .singleElement()
                .satisfies(entry ->
                        assertThat(entry.path("direction").asString("")).isEqualTo("out"));
    }

    @Test
    void simultaneousSendsOfOneIdMoveMoneyOnce() {
        String id = Customer.id();
        List<Integer> statuses = IntStream.range(0, 8)
                .parallel()
                .mapToObj(call -> customer.sendPix(id, "7.00", RECEIVER).status())
                .toList();
        assertThat(statuses).containsOnlyOnce(201);
        await().untilAsserted(
                        () -> assertThat(customer.getSent(id).text("status")).isEqualTo("REALIZADO"));
        assertThat(ledger().stream()
                        .filter(entry -> entry.path("id").asString("").equals(id)))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "unknown@bank.example,        , 404, chave_favorecido_nao_encontrada",
        "denied@bank.example,         , 422, pagamento_negado",
        "no-balance@bank.example,     , 422, saldo_insuficiente",
        "other-owner@bank.example,    52998224725, 400, chave_nao_pertence_ao_documento",
        "other-owner@bank.example,    11144477735, 201, ''",
        "maria@example.com,           52998224725, 201, ''",
        "52998224725,                 11144477735, 400, chave_nao_pertence_ao_documento",
        "maria,                       , 400, valor_invalido"
    })
    void keyDecidesOnASend(String key, String document, int status, String reason) {
        String receiver =
                "{\"chave\":\"" + key + "\"" + (document == null ? "" : ",\"cpf\":\"" + document + "\"") + "}";
        Customer.Heard heard = customer.sendPix(Customer.id(), "7.00", receiver);
        assertThat(heard.status()).isEqualTo(status);
        assertThat(heard.reason()).isEqualTo(reason);
    }

    @Test
    void sendFailsOrWaitsForAPersonByItsKey() {
        String fails = Customer.id();
        customer.sendPix(fails, "7.00", "{\"chave\":\"fails@bank.example\"}");
        await().untilAsserted(
                        () -> assertThat(customer.getSent(fails).text("status")).isEqualTo("NAO_REALIZADO"));
        String waits = Customer.id();
        customer.sendPix(waits, "7.00", "{\"chave\":\"release@bank.example\"}");
        assertThat(customer.getSent(waits).text("status")).isEqualTo("EM_PROCESSAMENTO");
        String release = "{\"id\":\"" + waits + "\"}";
        assertThat(customer.control("POST", "/bank/release", release).status()).isEqualTo(200);
        assertThat(customer.getSent(waits).text("status")).isEqualTo("REALIZADO");
        assertThat(customer.control("POST", "/bank/release", release).status()).isEqualTo(409);
    }

    @ParameterizedTest
    @CsvSource({"9904.00, 400", "9904.09, 409", "9904.22, 422"})
    void amountIsRefused(String amount, int status) {
        assertThat(customer.sendPix(Customer.id(), amount, RECEIVER).status()).isEqualTo(status);
        Customer.Heard charge = customer.callUnjudged(
                "PUT",
                bank.pixUrl() + "/cob/" + Customer.id(),
                customer.charge().replace("10.00", amount));
        assertThat(charge.status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PUT    | /cob/TXID | {\"calendario\":{},\"valor\":{\"original\":\"0.00\"},\"chave\":\"KEY\"}  | 400 |"
                        + " CobOperacaoInvalida",
                "PUT    | /cob/TXID | {\"calendario\":{},\"valor\":{\"original\":10.00},\"chave\":\"KEY\"}     | 400 |"
                        + " CobOperacaoInvalida",
                "PUT    | /cob/TXID | {\"calendario\":{},\"valor\":{\"original\":\"1.0\"},\"chave\":\"KEY\"}   | 400 |"
                        + " CobOperacaoInvalida",
                "PUT    | /cob/TXID |"
                        + " {\"calendario\":{\"expiracao\":0},\"valor\":{\"original\":\"1.00\"},\"chave\":\"KEY\"} | 400 |"
                        + " CobOperacaoInvalida",
                "PUT    | /cob/TXID | {\"calendario\":{},\"valor\":{\"original\":\"1.00\"},\"chave\":\"other\"} | 400"
                        + " | CobOperacaoInvalida",
                "PUT    | /cob/TXID |"
                        + " {\"calendario\":{},\"valor\":{\"original\":\"1.00\"},\"chave\":\"KEY\",\"loc\":{\"id\":99999}}"
                        + " | 400 | CobOperacaoInvalida",
                "PUT    | /cob/TXID | {\"calendario\"                                                          | 400 |"
                        + " CobOperacaoInvalida",
                "PUT    | /cob/short | {\"calendario\":{},\"valor\":{\"original\":\"1.00\"},\"chave\":\"KEY\"} | 400 |"
                        + " CobOperacaoInvalida",
                "GET    | /cob/TXID |                                                                          | 404 |"
                        + " CobNaoEncontrado",
                "PATCH  | /cob/TXID | {\"status\":\"REMOVIDA_PELO_USUARIO_RECEBEDOR\"}                         | 404 |"
                        + " CobNaoEncontrado",
                "POST   | /loc      | {\"tipoCob\":\"x\"}                                                      | 400 |"
                        + " PayloadLocationOperacaoInvalida",
                "GET    | /pix?inicio=2026-01-01T00:00:00Z |                                                   | 400 |"
                        + " PixConsultaInvalida",
                "GET    | /pix?inicio=2026-01-01T00:00:00&fim=2026-01-02T00:00:00Z |                           | 400 |"
                        + " PixConsultaInvalida",
                "GET    | /pix?inicio=2026-01-01T00:00:00Z&fim=2026-01-02T00:00:00Z&cpf=1&cnpj=2 |             | 400 |"
                        + " PixConsultaInvalida",
                "GET    | /pix?inicio=2026-01-01T00:00:00Z&fim=2026-01-02T00:00:00Z&paginacao.paginaAtual=-1 | | 400 |"
                        + " PixConsultaInvalida",
                "GET    | /pix/E00000000202601010000aaaaaaaaaaa |                                              | 404 |"
                        + " PixNaoEncontrado",
                "PUT    | /pix/E00000000202601010000aaaaaaaaaaa/devolucao/1 | {\"valor\":\"1.00\"}             | 404 |"
                        + " PixNaoEncontrado",
                "PUT    | /pix/E00000000202601010000aaaaaaaaaaa/devolucao/a-b | {\"valor\":\"1.00\"} | 400 |"
                        + " PixDevolucaoInvalida",
                "PUT    | /pix/E00000000202601010000aaaaaaaaaaa/devolucao/1 | {\"valor\":\"1,00\"}             | 400 |"
                        + " PixDevolucaoInvalida",
                "PUT    | /pix/E00000000202601010000aaaaaaaaaaa/devolucao/1 |"
                        + " {\"valor\":\"1.00\",\"natureza\":\"MED_FRAUDE\"} | 400 | PixDevolucaoInvalida",
                "GET    | /pix/E00000000202601010000aaaaaaaaaaa/devolucao/1 |                                  | 404 |"
                        + " PixDevolucaoNaoEncontrada",
                "PUT    | /webhook/KEY | {\"webhookUrl\":\"http://localhost/\"}                                | 400 |"
                        + " WebhookOperacaoInvalida",
                "PUT    | /webhook/other | {\"webhookUrl\":\"https://localhost/\"}                             | 400 |"
                        + " WebhookOperacaoInvalida",
                "GET    | /webhook/other |                                                                     | 404 |"
                        + " WebhookNaoEncontrado",
                "GET    | /cobv/TXID |                                                                         | 404 |"
                        + " NaoEncontrado"
            })
    void refusesWithTheOfficialType(String method, String path, String body, int status, String type) {
        String txid = Customer.id();
        Customer.Heard heard = customer.call(
                method,
                path.replace("TXID", txid).replace("KEY", bank.pixKey()),
                body == null ? "" : body.replace("KEY", bank.pixKey()));
        assertThat(heard.reason()).isEqualTo(type);
        assertThat(heard.status()).isEqualTo(status);
    }

    @Test
    void ledgerComesInPagesAndEndsWithNull() {
        customer.paidPix();
        assertThat(customer.control("GET", "/ledger?after=0", "")
                        .body()
                        .path("next_cursor")
                        .isNull())
                .isTrue();
        assertThat(ledger()).isNotEmpty();
    }

    private static List<JsonNode> ledger() {
        return customer.control("GET", "/ledger", "")
                .body()
                .path("entries")
                .valueStream()
                .toList();
    }

    private static String with(String object, String member) {
        return object.substring(0, object.length() - 1) + "," + member + "}";
    }
}
