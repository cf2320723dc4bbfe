package dev.ligeiro.processor.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.rail.bank.BankPayment;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReadNoticesTest {

    private static final String KEY = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906";
    private static final TransactionId ID = new TransactionId(UUID.fromString("019ac0de-0000-7000-8000-0123456789ab"));
    private static final String TXID = "019ac0de0000700080000123456789ab";

    @Test
    void aReceivedPaymentNamesItsTransactionAndWhatWasMovedBack() {
        assertThat(read(
                        """
                {"endToEndId": "E1", "txid": "%s", "valor": "10.00", "chave": "%s", "horario": "2026-11-26T10:00:00Z",
                 "devolucoes": [{"id": "D1", "valor": "3.00", "status": "DEVOLVIDO"},
                                {"id": "D2", "valor": "4.00", "status": "EM_PROCESSAMENTO"}]}
                """
                                .formatted(TXID, KEY)))
                .containsExactly(new RailNotice(ID, "bank", "E1", new Amount(1000), new Amount(300)));
    }

    /** With the fault, an id that the bank repeats in upper case was nobody's: the payment became an unmatched one. */
    @Test
    void idsCompareWithoutCase() {
        assertThat(read("{\"endToEndId\": \"E1\", \"txid\": \"%s\", \"valor\": \"10.00\"}"
                        .formatted(TXID.toUpperCase(Locale.ROOT))))
                .extracting(RailNotice::transactionId)
                .containsExactly(ID);
    }

    /** Efí's form. */
    @Test
    void aSentPaymentNamesItsTransaction() {
        assertThat(read(
                        """
                {"endToEndId": "E1", "valor": "10.00", "tipo": "SOLICITACAO", "status": "REALIZADO",
                 "gnExtras": {"idEnvio": "%s"}}
                """
                                .formatted(TXID)))
                .containsExactly(new RailNotice(ID, "bank", "E1", new Amount(1000), Amount.ZERO));
    }

    @Test
    void aPaymentWithoutAnIdOfOursGetsTheSameUnknownTransactionEachTime() {
        List<RailNotice> first = read("{\"endToEndId\": \"E1\", \"valor\": \"10.00\"}");

        assertThat(first).hasSize(1).isEqualTo(read("{\"endToEndId\": \"E1\", \"valor\": \"10.00\"}"));
        assertThat(read("{\"endToEndId\": \"E2\", \"valor\": \"10.00\"}").get(0).transactionId())
                .isNotEqualTo(first.get(0).transactionId());
    }

    /** Anyone may have a bank send us notices. With the fault, one without a txid was recorded as money beside the transaction that it paid. */
    @Test
    void aNoticeIsAHintWithoutAmountAndOnlyOfOurIds() {
        JsonNode body = body(
                """
                {"endToEndId": "E1", "txid": "%s", "valor": "10.00"}, {"endToEndId": "E2", "valor": "10.00"},
                {"endToEndId": "E3", "txid": "0f", "valor": "10.00"}
                """
                        .formatted(TXID));

        assertThat(ReadNotices.ofNotice("bank", payments(body)))
                .containsExactly(new RailNotice(ID, "bank", "E1", null, Amount.ZERO));
    }

    /** It may be of a payment that operators have assigned or credited. */
    @Test
    void aNoticeOfARefundIsAHintAlsoWithoutAnIdOfOurs() {
        JsonNode body = body(
                """
                {"endToEndId": "E2", "valor": "10.00", "devolucoes": [{"id": "D1", "valor": "3.00", "status": "DEVOLVIDO"}]}
                """);

        assertThat(ReadNotices.ofNotice("bank", payments(body)))
                .extracting(RailNotice::endToEndId, RailNotice::amount, RailNotice::returned)
                .containsExactly(tuple("E2", null, new Amount(300)));
    }

    @Test
    void refundsAboveAnyAmountLeaveTheOthers() {
        String refund = "{\"id\": \"D1\", \"valor\": \"9999999999.99\", \"status\": \"DEVOLVIDO\"}";

        assertThat(read(
                        """
                {"endToEndId": "E1", "valor": "10.00", "devolucoes": [%s, %s]}, {"endToEndId": "E2", "valor": "10.00"}
                """
                                .formatted(refund, refund)))
                .extracting(RailNotice::endToEndId)
                .containsExactly("E2");
    }

    @Test
    void theNoticeOfAnotherCustomerIsLeftOut() {
        assertThat(read("{\"endToEndId\": \"E1\", \"valor\": \"10.00\", \"chave\": \"other@example.com\"}"))
                .isEmpty();
    }

    @Test
    void oneThatCannotBeReadIsLeftOutBetweenTwoOthers() {
        assertThat(
                        read(
                                """
                {"endToEndId": "E1", "valor": "10.00"}, {"endToEndId": "E2", "valor": 10.00}, 7, {"endToEndId": "E3", "valor": "10.00"}
                """))
                .extracting(RailNotice::endToEndId)
                .containsExactly("E1", "E3");
    }

    private static List<RailNotice> read(String payments) {
        return ReadNotices.ofList("bank", payments(body(payments)));
    }

    private static List<BankPayment> payments(JsonNode body) {
        return BankPayment.of(body, KEY);
    }

    private static JsonNode body(String payments) {
        return JsonMapper.shared().readTree("{\"pix\": [" + payments + "]}");
    }
}
