package dev.ligeiro.infra.loadtest.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.pix.Email;
import dev.ligeiro.pix.Phone;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.pix.TaxId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RequestsTest {

    private static final MerchantApi MERCHANT =
            new MerchantApi(new Api("http://localhost:8080", "sk_test_x"), "7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a59");

    private final CallIdentifiers identifiers = new CallIdentifiers("00c0ffee");
    private final CallJournal journal = new CallJournal(identifiers);
    private final Requests requests = new Requests(List.of(MERCHANT), journal);

    @ParameterizedTest
    @EnumSource(names = {"PENDING_CASHIN", "PAID_CASHIN", "CASHOUT"})
    void everyCreateIsAValidRequest(Call call) {
        for (int number : new int[] {0, 1, 99, 4_211, 9_999_999}) {
            JsonNode body = body(requests.bytes(call, number));

            assertThat(body.required("reference").asString()).isEqualTo(identifiers.reference(number));
            assertThat(body.required("extra").asString()).isEqualTo(identifiers.extra(number));
            assertThat(body.required("name").asString()).matches("[A-Z][a-z]{4} [A-Z][a-z]{4} [A-Z][a-z]{4}");
            TaxId.parse(body.required("document").asString());
            Phone.parse(body.required("phone").asString());
            Email.parse(body.required("email").asString());
        }
    }

    @Test
    void theCentsDecideWhetherTheRailPays() {
        assertThat(amount(Call.PENDING_CASHIN)).endsWith(".50");
        assertThat(amount(Call.PAID_CASHIN)).endsWith(".11");
        assertThat(amount(Call.CASHOUT)).endsWith(".50");
    }

    @Test
    void aCashoutHasAPixKey() {
        JsonNode body = body(requests.bytes(Call.CASHOUT, 7));

        PixKey.parse(
                PixKey.Type.parse(body.required("key_type").asString()),
                body.required("pix_key").asString());
    }

    @Test
    void theHeadHasTheLengthOfTheBody() {
        String request = text(requests.bytes(Call.PENDING_CASHIN, 7));
        String body = request.substring(request.indexOf("\r\n\r\n") + 4);

        assertThat(request)
                .startsWith("POST /api/v1/transaction/pix/cashin HTTP/1.1\r\nHost: localhost:8080\r\n")
                .contains("\r\nAuthorization: Bearer sk_test_x\r\n")
                .contains("\r\nContent-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n");
    }

    @Test
    void showsReadTheTransactionsOfTheFirstCalls() {
        journal.addResponse(journal.add(Call.PENDING_CASHIN, 0), new UUID(1, 2));
        requests.read(1, 9);

        assertThat(text(requests.bytes(Call.SHOW, 77)))
                .startsWith("GET /api/v1/transaction/00000000-0000-0001-0000-000000000002 HTTP/1.1\r\n");
        assertThat(text(requests.bytes(Call.LIST_LAST_PAGE, 78)))
                .startsWith("GET /api/v1/transactions?page=9 HTTP/1.1");
    }

    private String amount(Call call) {
        String request = text(requests.bytes(call, 7));
        return request.replaceAll("(?s).*\"amount\":([0-9.]+),.*", "$1");
    }

    private static JsonNode body(byte[] request) {
        String text = text(request);
        return new JsonMapper().readTree(text.substring(text.indexOf("\r\n\r\n") + 4));
    }

    private static String text(byte[] request) {
        return new String(request, StandardCharsets.UTF_8);
    }
}
