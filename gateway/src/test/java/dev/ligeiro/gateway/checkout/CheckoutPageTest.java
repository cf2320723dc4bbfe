package dev.ligeiro.gateway.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CheckoutPageTest {

    private final CheckoutPage page = new CheckoutPage();

    @ParameterizedTest
    @CsvSource({
        "1,            'R$ 0,01'",
        "10,           'R$ 0,10'",
        "100,          'R$ 1,00'",
        "15075,        'R$ 150,75'",
        "123456,       'R$ 1.234,56'",
        "999999999999, 'R$ 9.999.999.999,99'"
    })
    void amountsAreWrittenAsInBrazil(long cents, String text) {
        assertThat(page.of(Transactions.cashin(new Amount(cents)))).contains(">" + text + "<");
    }

    @Test
    void aPendingCashinCanBeScannedAndCopied() {
        String html = page.of(Transactions.goldenCashin());

        assertThat(html)
                .contains("data:image/png;base64,")
                .contains(">" + Transactions.BR_CODE + "<")
                .contains("Aguardando pagamento");
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.class,
            names = {"PENDING"},
            mode = EnumSource.Mode.EXCLUDE)
    void onlyAPendingCashinShowsACode(Status status) {
        Transaction cashin = Transactions.goldenCashin();
        String html = page.of(Transactions.like(cashin).status(status).build());

        assertThat(html)
                .contains("R$ 150,75")
                .contains("role=\"status\"")
                .doesNotContain("data:image")
                .doesNotContain(Transactions.BR_CODE)
                .doesNotContain("{{");
    }

    @Test
    void nothingPersonalIsShown() {
        Transaction cashin = Transactions.goldenCashin();

        assertThat(page.of(cashin))
                .doesNotContain(cashin.terms().payer().name())
                .doesNotContain("Zo")
                .doesNotContain(cashin.terms().payer().email())
                .doesNotContain("11987654321")
                .doesNotContain(cashin.terms().payer().document())
                .doesNotContain(cashin.terms().description())
                .doesNotContain(Transactions.EXTRA)
                .doesNotContain(String.valueOf(cashin.terms().reference()));
    }

    /** A code contains the merchant's name, which may have any printable ASCII characters. */
    @Test
    void aCodeIsEscapedAndItsPlaceholdersAreNotReplaced() {
        String code = "00</textarea><script>alert(1)</script>&amp;\"'{{amount}}{{status}}{{image}}";

        String html = page.of(
                Transactions.like(Transactions.goldenCashin()).brCode(code).build());

        assertThat(html)
                .contains("00&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&quot;&#39;"
                        + "{{amount}}{{status}}{{image}}</textarea>");
    }
}
