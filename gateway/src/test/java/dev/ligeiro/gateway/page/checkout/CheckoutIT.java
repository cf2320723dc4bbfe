package dev.ligeiro.gateway.page.checkout;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Updates;
import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Status;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CheckoutIT extends WithGateway {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @Test
    void thePaymentLinkOpensAPageWithoutAKey() {
        JsonNode cashin =
                merchant.api().post(CASHIN, merchant.cashin()).expect(201).transaction();

        Answer page =
                gateway.api().get(cashin.path("payment_link").stringValue()).expect(200);

        assertThat(page.header("Content-Type")).isEqualTo("text/html;charset=UTF-8");
        assertThat(page.body())
                .contains("R$\u00a0150,75")
                .contains("Aguardando pagamento")
                .contains(cashin.path("qr_code").stringValue())
                .contains(cashin.path("qr_code_image").stringValue());
    }

    @Test
    void thePageLoadsOnlyItselfAndIsNotCached() {
        Answer page = gateway.api().get("/checkout/" + merchant.created(merchant.cashin()));

        assertThat(page.expect(200).header("Content-Security-Policy"))
                .contains("default-src 'none'")
                .contains("frame-ancestors 'none'")
                .containsPattern(
                        "script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:; connect-src 'self';")
                .doesNotContain("unsafe");
        assertThat(page.header("Cache-Control")).isEqualTo("no-store");
        assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(page.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(page.header("X-Request-Id")).isNotBlank();
        assertThat(page.header("Vary")).isEqualTo("Accept-Language");
        assertThat(page.body())
                .doesNotContain("src=\"http")
                .doesNotContain("style=")
                .doesNotContain("onclick");
    }

    @Test
    void nothingPersonalIsShown() {
        String id = merchant.created(
                merchant.cashin().put("reference", "secret-reference").put("extra", "secret-extra"));

        assertThat(gateway.api().get("/checkout/" + id).expect(200).body())
                .doesNotContain(Bodies.NAME)
                .doesNotContain("Concei")
                .doesNotContain(Bodies.EMAIL)
                .doesNotContain("98765")
                .doesNotContain("52998224725")
                .doesNotContain("secret-");
    }

    @Test
    void theReceiptOfAPaidCashinShowsThePaymentAndThePayerInShort() {
        String id = merchant.created(merchant.cashin().put("return_url", "https://shop.example/orders/7?paid=1&x=é"));
        gateway.api().get("/checkout/" + id + "/receipt").expect(404);
        stored.move(id, Status.PAID);

        assertThat(gateway.api().get("/checkout/" + id).expect(200).body())
                .contains("/checkout/" + id + "/receipt")
                .contains("Pago em")
                .contains("href=\"https://shop.example/orders/7?paid=1&amp;x=%C3%A9\"");
        Answer receipt = gateway.api().get("/checkout/" + id + "/receipt").expect(200);
        assertThat(receipt.header("Cache-Control")).isEqualTo("no-store");
        assertThat(receipt.body())
                .contains("Comprovante de pagamento Pix")
                .contains("R$\u00a0150,75")
                .contains(merchant.api()
                        .get(ONE + id)
                        .expect(200)
                        .transaction()
                        .path("e2e_id")
                        .stringValue())
                .contains("***4725")
                .doesNotContain(Bodies.NAME)
                .doesNotContain(Bodies.EMAIL)
                .doesNotContain("52998224725");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://shop.example/",
                "javascript:alert(1)",
                "shop.example",
                "https://user@shop.example/",
                "https:///orders"
            })
    void onlyAnHttpsAddressLeadsBackToTheShop(String url) {
        assertThat(merchant.api()
                        .post(CASHIN, merchant.cashin().put("return_url", url))
                        .expect(422)
                        .body())
                .contains("return_url");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "019cd831-1973-7abc-9def-0123456789ab", "%3Cscript%3E"})
    void anUnknownTransactionHasANotFoundPage(String id) {
        Answer page = gateway.api().get("/checkout/" + id).expect(404);

        assertThat(page.header("Content-Type")).isEqualTo("text/html;charset=UTF-8");
        assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'");
        assertThat(page.body())
                .contains("não encontrada")
                .doesNotContain("<script")
                .doesNotContain("%3C");
    }

    @Test
    void thePageSpeaksEnglishToThoseWhoPreferIt() {
        String path = "/checkout/" + merchant.created(merchant.cashin());

        Answer page = Api.send(gateway.api().request(path).header("Accept-Language", "en-US,en;q=0.9,pt;q=0.5"));

        assertThat(page.expect(200).body())
                .contains("<html lang=\"en\">")
                .contains("Waiting for payment")
                .contains("Café do Zé");
        assertThat(gateway.api().get(path).body()).contains("<html lang=\"pt-BR\">");
    }

    @Test
    void aCashoutHasNoPage() {
        String id = merchant.api().post(CASHOUT, merchant.cashout()).expect(201).transactionId();

        gateway.api().get("/checkout/" + id).expect(404);
    }

    @Test
    void theCurrentStatusComesFirstThenEachChangeUntilTheEnd() throws IOException, InterruptedException {
        String id = merchant.created(merchant.cashin());
        HttpResponse<InputStream> stream =
                CLIENT.send(gateway.api().request("/checkout/" + id + "/events").build(), BodyHandlers.ofInputStream());

        assertThat(stream.headers().map())
                .containsEntry("content-type", List.of("text/event-stream;charset=UTF-8"))
                .containsEntry("cache-control", List.of("no-store"));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            assertThat(nextStatus(lines)).isEqualTo("pending");
            stored.move(id, Status.IN_ANALYSIS);
            assertThat(nextStatus(lines)).isEqualTo("in_analysis");
            stored.move(id, Status.PAID);
            assertThat(nextStatus(lines)).isEqualTo("paid");
            assertThat(nextStatus(lines)).isEmpty();
        }
    }

    /** A newer version has given the status of the other one. */
    @Test
    void aStatusThatIsNotKnownDelaysNoOtherPage() throws IOException, InterruptedException {
        String unknown = merchant.created(merchant.cashin());
        String known = merchant.created(merchant.cashin());
        try (BufferedReader other = open(unknown);
                BufferedReader lines = open(known)) {
            assertThat(nextStatus(other)).isEqualTo("pending");
            assertThat(nextStatus(lines)).isEqualTo("pending");
            stored.distort(stored.find(unknown), Updates.set(TransactionFields.STATUS, "melted"));
            stored.move(known, Status.PAID);
            assertThat(nextStatus(lines)).isEqualTo("paid");
        }
    }

    @Test
    void anEndedCashinIsToldOnce() {
        String id = merchant.created(merchant.cashin());
        stored.move(id, Status.CANCELED);

        assertThat(events(id).expect(200).body().lines().filter(line -> !line.isEmpty()))
                .containsExactly("event:status", "data:canceled");
    }

    @Test
    void onlyCashinsHaveEvents() {
        events("x").expectProblem(404, "transaction_not_found");
        events("019cd831-1973-7abc-9def-0123456789ab").expectProblem(404, "transaction_not_found");
        events(merchant.api().post(CASHOUT, merchant.cashout()).expect(201).transactionId())
                .expectProblem(404, "transaction_not_found");
    }

    private Answer events(String id) {
        return gateway.api().get("/checkout/" + id + "/events");
    }

    private BufferedReader open(String id) throws IOException, InterruptedException {
        InputStream body = CLIENT.send(
                        gateway.api().request("/checkout/" + id + "/events").build(), BodyHandlers.ofInputStream())
                .body();
        return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    /** {@code ""} at the end of the stream. */
    private static String nextStatus(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.startsWith("data:")) {
            line = lines.readLine();
        }
        return line == null ? "" : line.substring("data:".length());
    }
}
