package dev.ligeiro.infra.loadtest.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.loadtest.ledger.Call;
import dev.ligeiro.infra.loadtest.ledger.Naming;
import dev.ligeiro.pix.Email;
import dev.ligeiro.pix.Phone;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.pix.TaxId;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CreateRequestTest {

    private static final Merchant MERCHANT =
            new Merchant(URI.create("http://localhost:8080"), "sk_test_x", "7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a59");

    private final Naming naming = new Naming("00c0ffee");

    @ParameterizedTest
    @EnumSource(names = {"PENDING_CASHIN", "PAID_CASHIN", "CASHOUT"})
    void everyCallIsAValidRequestOfItsOwn(Call call) {
        CreateRequest request = new CreateRequest(call, MERCHANT, naming);
        for (int number : new int[] {0, 1, 99, 4_211, 9_999_999}) {
            JsonNode body = body(request.bytes(number));

            assertThat(body.required("reference").asString()).isEqualTo(naming.reference(number));
            assertThat(body.required("extra").asString()).isEqualTo(naming.extra(number));
            assertThat(body.required("name").asString()).matches("[A-Z][a-z]{4} [A-Z][a-z]{4} [A-Z][a-z]{4}");
            TaxId.parse(body.required("document").asString());
            Phone.parse(body.required("phone").asString());
            Email.parse(body.required("email").asString());
        }
    }

    @Test
    void theCentsSayWhatBecomesOfIt() {
        assertThat(amount(Call.PENDING_CASHIN)).endsWith(".50");
        assertThat(amount(Call.PAID_CASHIN)).endsWith(".11");
        assertThat(amount(Call.CASHOUT)).endsWith(".50");
    }

    @Test
    void aCashoutHasAPixKey() {
        JsonNode body = body(new CreateRequest(Call.CASHOUT, MERCHANT, naming).bytes(7));

        PixKey.parse(
                PixKey.Type.parse(body.required("key_type").asString()),
                body.required("pix_key").asString());
    }

    @Test
    void theHeadSaysHowLongTheBodyIs() {
        String request = text(new CreateRequest(Call.PENDING_CASHIN, MERCHANT, naming).bytes(7));
        String body = request.substring(request.indexOf("\r\n\r\n") + 4);

        assertThat(request)
                .startsWith("POST /api/v1/transaction/pix/cashin HTTP/1.1\r\nHost: localhost:8080\r\n")
                .contains("\r\nAuthorization: Bearer sk_test_x\r\n")
                .contains("\r\nContent-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n");
    }

    private String amount(Call call) {
        String request = text(new CreateRequest(call, MERCHANT, naming).bytes(7));
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
