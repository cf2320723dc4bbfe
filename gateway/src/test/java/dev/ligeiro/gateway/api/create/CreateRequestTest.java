package dev.ligeiro.gateway.api.create;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.FieldErrors;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.JsonBody;
import dev.ligeiro.merchant.MerchantLimits;
import dev.ligeiro.merchant.MerchantLimits.AmountRange;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Party;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class CreateRequestTest {

    private static final AmountRange ANY = MerchantLimits.NONE.amounts(Operation.CASHIN);
    private static final UUID PLATFORM = UUID.fromString("7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a59");
    private static final String FACE = "\ud83d\ude00";

    private static ObjectNode cashin() {
        return Bodies.cashin(PLATFORM.toString());
    }

    private static ObjectNode cashout() {
        return Bodies.cashout(PLATFORM.toString());
    }

    private static CreateRequest parse(Operation operation, ObjectNode body) {
        return CreateRequest.parse(operation, new Fields(body), Set.of(PLATFORM), ANY, Amount.MAX);
    }

    /** The errors, each as {@code field:code}. */
    private static List<String> errors(Operation operation, ObjectNode body) {
        return FieldErrors.of(() -> parse(operation, body));
    }

    /** Reads {@code json} as the gateway does: numbers exactly. */
    private static ObjectNode with(ObjectNode body, String field, String json) {
        String object = "{\"a\":" + json + "}";
        body.set(field, JsonBody.parse(object.getBytes(StandardCharsets.UTF_8)).get("a"));
        return body;
    }

    @Test
    void aCashinIsReadIntoNormalForms() {
        CreateRequest request = parse(Operation.CASHIN, cashin());

        assertThat(request.payer()).isEqualTo(new Party(Bodies.NAME, Bodies.EMAIL, "+5511987654321", "52998224725"));
        assertThat(request.amount()).isEqualTo(new Amount(15_075));
        assertThat(request.platform()).isEqualTo(PLATFORM);
        assertThat(request.reference()).isNull();
        assertThat(request.extra()).isNull();
        assertThat(request.pixKey()).isNull();
    }

    @Test
    void aCashinIgnoresTheFieldsOfACashout() {
        assertThat(errors(Operation.CASHIN, cashin().put("pix_key", 1).put("key_type", "NONE")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"name", "description", "email", "phone", "document", "platform", "pix_key", "key_type"})
    void blankAndNullValuesAreMissing(String field) {
        assertThat(errors(Operation.CASHOUT, cashout().put(field, ""))).containsExactly(field + ":required");
        assertThat(errors(Operation.CASHOUT, cashout().put(field, " \t "))).containsExactly(field + ":required");
        assertThat(errors(Operation.CASHOUT, cashout().putNull(field))).containsExactly(field + ":required");
    }

    @ParameterizedTest
    @CsvSource({
        "0, invalid",
        "-1, invalid",
        "31536001, invalid",
        "0.0, invalid",
        "1e30, invalid",
        "1e999999999, invalid",
        "-1e999999999, invalid",
        "31536000.5, wrong_type",
        "1e-999999999, wrong_type",
        "99999999999999999999, invalid",
        "1.5, wrong_type",
        "'\"60\"', wrong_type",
        "true, wrong_type",
        "{}, wrong_type",
    })
    void anExpiryOfZeroOrBeyondAYearIsRefused(String expiresIn, String code) {
        assertThat(errors(Operation.CASHIN, with(cashin(), "expires_in", expiresIn)))
                .containsExactly("expires_in:" + code);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "31536000, 31536000", "null, ", "1.0, 1", "3600.000, 3600", "3.6e3, 3600", "3.1536E7, 31536000"
    })
    void anExpiryIsInSecondsByValueAndOptional(String expiresIn, @Nullable Long seconds) {
        assertThat(parse(Operation.CASHOUT, with(cashout(), "expires_in", expiresIn))
                        .expiresIn())
                .isEqualTo(seconds == null ? null : Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource({"name, 100", "description, 255", "reference, 50", "extra, 255"})
    void lengthsAreCountedInCodePoints(String field, int max) {
        assertThat(errors(Operation.CASHIN, cashin().put(field, FACE.repeat(max))))
                .isEmpty();
        assertThat(errors(Operation.CASHIN, cashin().put(field, FACE.repeat(max + 1))))
                .containsExactly(field + ":too_long");
        assertThat(errors(Operation.CASHIN, cashin().put(field, "x".repeat(max + 1))))
                .containsExactly(field + ":too_long");
    }

    @ParameterizedTest
    @CsvSource({"name, 100", "description, 255", "reference, 50"})
    void spacesAroundATextDoNotCount(String field, int max) {
        assertThat(errors(Operation.CASHIN, cashin().put(field, "  " + "x".repeat(max) + "  ")))
                .isEmpty();
        assertThat(parse(Operation.CASHIN, cashin().put("reference", " r 1 ")).reference())
                .isEqualTo("r 1");
    }

    @ParameterizedTest
    @CsvSource({
        "name,        a\\u0000b",
        "name,        a\\nb",
        "name,        a\\u007fb",
        "name,        a\\u0085b",
        "name,        a\\ud83d",
        "name,        \\ude00b",
        "name,        \\ude00\\ud83d",
        "description, a\\tb",
        "description, a\\u001bb",
        "reference,   a\\u0000",
        "reference,   \\ud800",
        "extra,       a\\u0000b",
        "extra,       a\\u000bb",
        "extra,       \\udfff",
        "email,       a\\u0000@b.co",
        "email,       a\\ud800@b.co",
        "phone,       119876\\u000054321",
        "document,    529982\\u000024725",
        "platform,    7f1c1f0e\\u0000",
        "pix_key,     maria\\u0000@example.com"
    })
    void controlCharactersAndHalvesOfSurrogatePairsAreRefused(String field, String value) {
        assertThat(errors(Operation.CASHOUT, with(cashout(), field, "\"" + value + "\"")))
                .containsExactly(field + ":invalid");
    }

    @Test
    void extraIsKeptUnchanged() {
        String extra = " \ta\r\n" + FACE + " ";

        assertThat(parse(Operation.CASHIN, cashin().put("extra", extra)).extra())
                .isEqualTo(extra);
        assertThat(parse(Operation.CASHIN, cashin().put("extra", " ")).extra()).isEqualTo(" ");
    }

    @Test
    void anOptionalFieldThatIsNullOrEmptyIsNotGiven() {
        CreateRequest request =
                parse(Operation.CASHIN, cashin().put("extra", "").putNull("reference"));

        assertThat(request.extra()).isNull();
        assertThat(request.reference()).isNull();
        assertThat(parse(Operation.CASHIN, cashin().put("reference", "  ")).reference())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "email,    zoe",
        "email,    zoe@example",
        "email,    zoe@@example.com",
        "phone,    12",
        "phone,    +551",
        "phone,    phone",
        "document, 529.982.247-26",
        "document, 11111111111",
        "document, 11222333000182",
        "document, 5299822472",
        "platform, 7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a5",
        "platform, 1-1-1-1-1",
        "amount,   12.345",
        "key_type, IBAN"
    })
    void malformedValuesAreInvalid(String field, String value) {
        assertThat(errors(Operation.CASHOUT, cashout().put(field, value))).containsExactly(field + ":invalid");
    }

    @Test
    void anEmailHasAtMost77CodePoints() {
        String domain = "@example.com";

        assertThat(errors(Operation.CASHIN, cashin().put("email", "x".repeat(77 - domain.length()) + domain)))
                .isEmpty();
        assertThat(errors(Operation.CASHIN, cashin().put("email", "x".repeat(78 - domain.length()) + domain)))
                .containsExactly("email:invalid");
    }

    @ParameterizedTest
    @CsvSource({
        "CPF,   529.982.247-25,                        52998224725",
        "CNPJ,  12.abc.345/01de-35,                    12ABC34501DE35",
        "PHONE, (21) 91234-5678,                       +5521912345678",
        "Email, Maria@Example.COM,                     maria@example.com",
        "EVP,   123E4567-E12B-12D1-A456-426655440000,  123e4567-e12b-12d1-a456-426655440000",
    })
    void aKeyIsReadIntoItsNormalForm(String type, String key, String normal) {
        PixKey read = parse(Operation.CASHOUT, cashout().put("key_type", type).put("pix_key", key))
                .pixKey();

        assertThat(read).isNotNull();
        assertThat(read == null ? "" : read.value()).isEqualTo(normal);
    }

    @ParameterizedTest
    @CsvSource({
        "CPF,   11222333000181",
        "CNPJ,  52998224725",
        "PHONE, maria@example.com",
        "EMAIL, 52998224725",
        "EVP,   52998224725",
    })
    void aKeyMustFitItsType(String type, String key) {
        assertThat(errors(Operation.CASHOUT, cashout().put("key_type", type).put("pix_key", key)))
                .containsExactly("pix_key:invalid");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    {"document_key":"35261112345678000195550010000000771000000773"} |
                    {"document_key":"35261112ABC34501DE35550010000000771000000773"} |
                    {"b":" x ","a-1":"é\\"\\\\"}                                      |
                    {"a":null}                                                      |
                    {}                                                              |
                    null                                                            |
                    "text"                                                          | fiscal:wrong_type
                    ["document_key"]                                                | fiscal:wrong_type
                    {"document_key":"35261112345678000195550010000000771000000774"} | fiscal.document_key:invalid
                    {"document_key":" 3526111234567800019555001000000077100000077"} | fiscal.document_key:invalid
                    {"document_key":"3526111234567800019555001000000077100000077"}  | fiscal.document_key:invalid
                    {"document_key":""}                                             | fiscal.document_key:invalid
                    {"document_key":35}                                             | fiscal.document_key:wrong_type
                    {"a":{"b":"c"}}                                                 | fiscal.a:wrong_type
                    {"a":"\\u0000"}                                                  | fiscal.a:invalid
                    {"a":"line\\nbreak"}                                             | fiscal.a:invalid
                    {"a":"\\ud83d"}                                                  | fiscal.a:invalid
                    {"a.b":"c"}                                                     | fiscal.a.b:invalid
                    {"$a":"c"}                                                      | fiscal.$a:invalid
                    {"":"c"}                                                        | fiscal.:invalid
                    """)
    void fiscalIsAnObjectOfFewTexts(String json, @Nullable String expected) {
        assertThat(errors(Operation.CASHIN, with(cashin(), "fiscal", json)))
                .isEqualTo(expected == null ? List.of() : List.of(expected));
    }

    @Test
    void fiscalIsBounded() {
        ObjectNode many = cashin();
        ObjectNode wide = cashin();
        ObjectNode exact = cashin();
        for (int i = 0; i < 21; i++) {
            many.withObject("fiscal").put("name" + i, "x");
        }
        for (int i = 0; i < 4; i++) {
            // {"n0":"…", of 9 bytes without the value
            exact.withObject("fiscal").put("n" + i, "\"".repeat(i == 0 ? 121 : 123) + "x");
            wide.withObject("fiscal").put("n" + i, "é".repeat(124));
        }

        assertThat(errors(Operation.CASHIN, many)).containsExactly("fiscal:invalid");
        assertThat(errors(Operation.CASHIN, wide)).containsExactly("fiscal:too_long");
        assertThat(exact.path("fiscal").toString()).hasSize(1_017);
        assertThat(errors(Operation.CASHIN, exact)).isEmpty();
        exact.withObject("fiscal").put("n0", "\"".repeat(124) + "xx");
        assertThat(exact.path("fiscal").toString()).hasSize(1_024);
        assertThat(errors(Operation.CASHIN, exact)).isEmpty();
        exact.withObject("fiscal").put("n0", "\"".repeat(124) + "xxx");
        assertThat(errors(Operation.CASHIN, exact)).containsExactly("fiscal:too_long");
        assertThat(errors(Operation.CASHIN, with(cashin(), "fiscal", "{\"a\":\"" + FACE.repeat(256) + "\"}")))
                .containsExactly("fiscal.a:too_long");
    }

    /** An invalid value may be personal data, and clients log problems. */
    @Test
    void noMessageRepeatsTheValue() {
        ObjectNode body = cashout()
                .put("document", "52998224726")
                .put("email", "zoe-at-example.com")
                .put("phone", "119876")
                .put("pix_key", "4711");

        assertThatExceptionOfType(Problem.class)
                .isThrownBy(() -> parse(Operation.CASHOUT, body))
                .satisfies(refusal -> assertThat(refusal.errors()).hasSize(4).allSatisfy(error -> assertThat(
                                error.message())
                        .startsWith("expected ")
                        .doesNotContain("5299")
                        .doesNotContain("zoe")
                        .doesNotContain("119876")
                        .doesNotContain("4711")));
    }
}
