package dev.ligeiro.processor.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.rail.bank.BankPayment;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class ReadNoticesTest {

    private static final String KEY = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906";
    private static final TransactionId ID = new TransactionId(UUID.fromString("019ac0de-0000-7000-8000-0123456789ab"));

    /**
     * Anyone may have a bank send us notices: with the fault, one without a txid was recorded as money beside the transaction that it paid. What
     * was moved back may be of a payment that operators have assigned or credited. With another fault, an id in upper case was nobody's.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                // payments; their reports in a list: transaction, end-to-end id, cents, cents moved back; in a notice
                "{'endToEndId':'E1','txid':'019ac0de0000700080000123456789ab','valor':'10.00','devolucoes':["
                        + "{'id':'D1','valor':'3.00','status':'DEVOLVIDO'},"
                        + "{'id':'D2','valor':'4.00','status':'EM_PROCESSAMENTO'}]} | ours E1 1000 300 | ours E1 null 300",
                "{'endToEndId':'E1','txid':'019AC0DE0000700080000123456789AB','valor':'10.00',"
                        + "'chave':'7d9f0335-8dcc-4054-9bf9-0dbd61d36906'} | ours E1 1000 0 | ours E1 null 0",
                "{'endToEndId':'E1','valor':'10.00','status':'REALIZADO',"
                        + "'gnExtras':{'idEnvio':'019ac0de0000700080000123456789ab'}} | ours E1 1000 0 | ours E1 null 0",
                "{'endToEndId':'E2','valor':'10.00'} | foreign E2 1000 0 |",
                "{'endToEndId':'E3','txid':'0f','valor':'10.00'} | foreign E3 1000 0 |",
                "{'endToEndId':'E2','valor':'10.00','devolucoes':[{'id':'D1','valor':'3.00','status':'DEVOLVIDO'}]}"
                        + " | foreign E2 1000 300 | foreign E2 null 300",
                "{'endToEndId':'E1','valor':'10.00','chave':'other@example.com'} | |",
                // one that cannot be read is left out between two others, also if more is moved back than any amount
                "{'endToEndId':'E1','valor':'1.00'}, {'endToEndId':'E2','valor':1.00}, 7, {'endToEndId':'E3','valor':'1.00'}"
                        + " | foreign E1 100 0, foreign E3 100 0 |",
                "{'endToEndId':'E1','valor':'10.00','devolucoes':[{'id':'D1','valor':'9999999999.99','status':'DEVOLVIDO'},"
                        + "{'id':'D1','valor':'9999999999.99','status':'DEVOLVIDO'}]},{'endToEndId':'E2','valor':'1.00'}"
                        + " | foreign E2 100 0 |",
            })
    void paymentsBecomeReportsAndHints(String payments, @Nullable String listed, @Nullable String hints) {
        assertThat(text(ReadNotices.ofList("bank", payments(payments)))).isEqualTo(listed == null ? "" : listed);
        assertThat(text(ReadNotices.ofNotice("bank", payments(payments)))).isEqualTo(hints == null ? "" : hints);
    }

    @Test
    void aPaymentWithoutAnIdOfOursGetsTheSameUnknownTransactionEachTime() {
        List<RailNotice> first = ReadNotices.ofList("bank", payments("{'endToEndId':'E1','valor':'10.00'}"));

        assertThat(first).isEqualTo(ReadNotices.ofList("bank", payments("{'endToEndId':'E1','valor':'10.00'}")));
        assertThat(ReadNotices.ofList("bank", payments("{'endToEndId':'E2','valor':'10.00'}")))
                .extracting(RailNotice::transactionId)
                .doesNotContain(first.get(0).transactionId());
    }

    private static String text(List<RailNotice> reports) {
        return reports.stream()
                .map(report -> (report.transactionId().equals(ID) ? "ours " : "foreign ") + report.endToEndId() + " "
                        + cents(report.amount()) + " " + cents(report.returned()))
                .collect(Collectors.joining(", "));
    }

    private static @Nullable Long cents(@Nullable Amount amount) {
        return amount == null ? null : amount.cents();
    }

    private static List<BankPayment> payments(String payments) {
        return BankPayment.of(JsonMapper.shared().readTree("{\"pix\": [" + payments.replace('\'', '"') + "]}"), KEY);
    }
}
