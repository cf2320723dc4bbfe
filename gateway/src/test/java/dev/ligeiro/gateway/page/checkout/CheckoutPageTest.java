package dev.ligeiro.gateway.page.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.view.Language;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CheckoutPageTest {

    private static final ZoneId ZONE = ZoneId.of("America/Sao_Paulo");

    private final CheckoutHtml html = new CheckoutHtml();

    @ParameterizedTest
    @EnumSource(
            value = Status.class,
            names = {"PENDING"},
            mode = EnumSource.Mode.EXCLUDE)
    void onlyAPendingCashinShowsACode(Status status) {
        Transaction cashin = Transactions.goldenCashin();

        assertThat(html(Transactions.like(cashin).status(status).build()))
                .contains("R$\u00a0150,75")
                .contains(Language.PORTUGUESE.text("checkout." + "advice." + status.code()))
                .doesNotContain("data:image")
                .doesNotContain("data-seconds-left")
                .doesNotContain(Transactions.BR_CODE);
    }

    /** A code contains the merchant's name, which may have any printable ASCII characters. */
    @Test
    void namesAndCodesAreEscaped() {
        String code = "00</textarea><script>alert(1)</script>&amp;\"'";
        Transaction cashin =
                Transactions.like(Transactions.goldenCashin()).brCode(code).build();

        assertThat(html.page(page(cashin, "<b>\"&'${x}")))
                .contains("00&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;")
                .contains("<strong>&lt;b&gt;")
                .contains("${x}</strong>")
                .doesNotContain("<b>")
                .doesNotContain("<script>alert");
    }

    @Test
    void theTimeLeftIsNeverNegative() {
        Transaction cashin = Transactions.goldenCashin();
        Instant expiresAt = cashin.terms().expiresAt();

        assertThat(new CheckoutPage(cashin, "", Language.ENGLISH, expiresAt.minusSeconds(90), ZONE).secondsLeft())
                .isEqualTo(90);
        assertThat(new CheckoutPage(cashin, "", Language.ENGLISH, expiresAt.plusSeconds(90), ZONE).secondsLeft())
                .isZero();
    }

    @Test
    void bothLanguagesHaveTheSameTexts() {
        assertThat(ResourceBundle.getBundle("texts.checkout.en").keySet())
                .isEqualTo(ResourceBundle.getBundle("texts.checkout.pt").keySet());
    }

    private String html(Transaction cashin) {
        return html.page(page(cashin, "Padaria do João"));
    }

    private static CheckoutPage page(Transaction cashin, String merchant) {
        return new CheckoutPage(cashin, merchant, Language.PORTUGUESE, cashin.createdAt(), ZONE);
    }
}
