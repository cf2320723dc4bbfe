package dev.ligeiro.gateway.api.list.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Transaction;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvLinesTest {

    private final CsvLines lines = new CsvLines(Settings.defaults(GatewayProperties.class));

    @Test
    void aCashinHasItsNetAmountItsRefundsAndTheTimeOfItsPayment() {
        Transaction cashin = Transactions.like(Transactions.partlyRefundedCashin())
                .reference("-77")
                .build();

        assertThat(csv(List.of(cashin), true))
                .isEqualTo(
                        "id,date_created,operation,status,amount,commission,net_amount,refunded_amount,paid,finished,"
                                + "expires_at,name,document,email,phone,pix_key,description,reference,extra,platform,e2e_id\r\n"
                                + "019cd827-d553-7abc-9def-0123456789ab,2026-03-10 11:30:15,cashin,paid,150.75,1.51,149.24,50.00,"
                                + "2026-03-10 11:31:15,,2026-03-11 11:30:15,Zoë da Conceição,52998224725,zoe@example.com,"
                                + "+5511987654321,,Order 77,'-77,\"order 77\n\"\"quoted\"\" \\ é 😀\","
                                + "7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a59,E9988776620260310143114railDEF1\r\n");
    }

    @Test
    void aCashoutHasItsKeyAndNothingForWhatIsMissing() {
        Transaction cashout = Transactions.like(Transactions.goldenCashout())
                .reference(null)
                .extra(null)
                .build();

        assertThat(csv(List.of(cashout), false))
                .isEqualTo(
                        "019cd827-d553-7abc-9def-0123456789ab,2026-03-10 11:30:15,cashout,pending,150.75,1.51,152.26,0.00,"
                                + ",,2026-03-11 11:30:15,Zoë da Conceição,52998224725,zoe@example.com,+5511987654321,"
                                + "maria@example.com,Order 77,,,7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a59,"
                                + "E1234567820260310143015abcDEF123\r\n");
    }

    /** An amount is not a text: a minus sign stays as it is. */
    @Test
    void aCommissionAboveTheAmountMakesTheNetAmountNegative() {
        Transaction cashin = Transactions.like(Transactions.goldenCashin())
                .amount(new Amount(101))
                .commission(new Amount(106))
                .build();

        assertThat(csv(List.of(cashin), false)).contains(",1.01,1.06,-0.05,0.00,");
    }

    @Test
    void withoutRowsThereAreTheNamesOnly() {
        assertThat(csv(List.of(), true)).startsWith("id,").hasLineCount(1);
    }

    private String csv(List<Transaction> rows, boolean withNames) {
        return new String(lines.of(rows.stream().map(Transaction::snapshot).toList(), withNames), UTF_8);
    }
}
