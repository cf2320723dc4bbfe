package dev.ligeiro.gateway.api.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.FieldErrors;
import dev.ligeiro.transaction.Status;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

class ListQueryTest {

    private static final ZoneId SAO_PAULO = ZoneId.of("America/Sao_Paulo");
    private static final String ID = "019cd831-1973-7abc-9def-0123456789ab";

    /** @param namesAndValues one after the other */
    private static ListQuery parse(String... namesAndValues) {
        MultiValueMap<String, String> parameters = new LinkedMultiValueMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            parameters.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return ListQuery.parse(parameters, SAO_PAULO);
    }

    private static List<String> errors(String... namesAndValues) {
        return FieldErrors.of(() -> parse(namesAndValues));
    }

    @Test
    void withoutParametersNothingIsFiltered() {
        ListQuery query = parse();

        assertThat(query.page()).isEqualTo(1);
        assertThat(Stream.of(
                        query.identifier(),
                        query.reference(),
                        query.endToEndId(),
                        query.operation(),
                        query.status(),
                        query.document(),
                        query.phone(),
                        query.platform(),
                        query.amountMin(),
                        query.amountMax(),
                        query.from(),
                        query.before(),
                        query.after()))
                .containsOnlyNulls();
        assertThat(query.nameWords()).isEmpty();
        assertThat(query.pixKeys()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "identifier",
                "reference",
                "e2e_id",
                "refund_id",
                "operation",
                "status",
                "name_document",
                "phone",
                "initial_date",
                "final_date",
                "platform",
                "pix_key",
                "amount_min",
                "amount_max",
                "after",
                "page"
            })
    void anEmptyValueCountsAsAbsent(String name) {
        assertThat(parse(name, "")).isEqualTo(parse());
        assertThat(parse(name, "  ")).isEqualTo(parse());
    }

    @Test
    void valuesAreReadIntoNormalForms() {
        ListQuery query = parse(
                "identifier",
                ID.toUpperCase(java.util.Locale.ROOT),
                "reference",
                " r&1 ",
                "phone",
                "(11) 98765-4321",
                "platform",
                ID,
                "after",
                ID.toUpperCase(java.util.Locale.ROOT),
                "page",
                "007");

        assertThat(String.valueOf(query.identifier())).isEqualTo(ID);
        assertThat(query.reference()).isEqualTo("r&1");
        assertThat(query.phone()).isEqualTo("+5511987654321");
        assertThat(query.platform()).isEqualTo(UUID.fromString(ID));
        assertThat(String.valueOf(query.after())).isEqualTo(ID);
        assertThat(query.page()).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource(Status.class)
    void everyStatusIsKnown(Status status) {
        assertThat(parse("status", status.code()).status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "529.982.247-25,      52998224725",
        "52998224725,         52998224725",
        "11.222.333/0001-81,  11222333000181",
        "12abc34501de35,      12ABC34501DE35",
    })
    void aWholeDocumentIsADocument(String text, String document) {
        ListQuery query = parse("name_document", text);

        assertThat(query.document()).isEqualTo(document);
        assertThat(query.nameWords()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "Zoë,                        zoe",
        "ZOE da CONCEIÇÃO,           zoe da conceicao",
        "D'Ávila-Souza,              d avila souza",
        "zoe zoe,                    zoe",
        "52998224726,                52998224726",
        "João 2º,                    joao 2o",
    })
    void anythingElseIsWordsOfAName(String text, String words) {
        ListQuery query = parse("name_document", text);

        assertThat(query.document()).isNull();
        assertThat(query.nameWords()).containsExactly(words.split(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "52998224725,                          52998224725 +5552998224725",
        "529.982.247-25,                       52998224725",
        "+5511987654321,                       +5511987654321",
        "11987654321,                          +5511987654321",
        "Maria@Example.com,                    maria@example.com",
        "123E4567-E12B-12D1-A456-426655440000, 123e4567-e12b-12d1-a456-426655440000",
        "11.222.333/0001-81,                   11222333000181",
    })
    void aKeyMayHaveSeveralNormalForms(String text, String forms) {
        assertThat(parse("pix_key", text).pixKeys()).contains(forms.split(" "));
    }

    /** Brazil had summer time in 2018: midnight of its first day did not exist, and days were 23 or 25 hours long. */
    @ParameterizedTest
    @CsvSource({
        "2026-03-10, 2026-03-10T03:00:00Z, 2026-03-11T03:00:00Z",
        "2024-02-29, 2024-02-29T03:00:00Z, 2024-03-01T03:00:00Z",
        "2018-11-04, 2018-11-04T03:00:00Z, 2018-11-05T02:00:00Z",
        "2018-02-17, 2018-02-17T02:00:00Z, 2018-02-18T03:00:00Z",
        "1970-01-01, 1970-01-01T03:00:00Z, 1970-01-02T03:00:00Z",
        "9999-12-31, 9999-12-31T03:00:00Z, +10000-01-01T03:00:00Z",
    })
    void aDayBeginsAndEndsInTheTimeZone(String day, Instant from, Instant before) {
        ListQuery query = parse("initial_date", day, "final_date", day);

        assertThat(query.from()).isEqualTo(from);
        assertThat(query.before()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({
        "identifier,    x",
        "identifier,    1-1-1-1-1",
        "status,        PAID",
        "status,        paid pending",
        "status,        unknown",
        "name_document, ---",
        "name_document, +",
        "phone,         12",
        "phone,         abc",
        "initial_date,  2026-3-1",
        "initial_date,  2026-02-30",
        "initial_date,  01/03/2026",
        "initial_date,  2026-03-10T00:00:00Z",
        "initial_date,  1969-12-31",
        "initial_date,  ٢٠٢٦-03-10",
        "final_date,    +2026-03-10",
        "final_date,    tomorrow",
        "platform,      x",
        "pix_key,       x",
        "e2e_id,        E123",
        "refund_id,     x",
        "operation,     refund",
        "amount_min,    1.005",
        "amount_min,    '10,00'",
        "amount_min,    -1",
        "amount_min,    1e2",
        "amount_max,    ten",
        "amount_max,    10000000000",
        "after,         x",
        "after,         123e4567-e12b-42d1-a456-426655440000",
        "after,         '019cd831-1973-7abc-9def-0123456789ab,'",
        "page,          0",
        "page,          -1",
        "page,          1.5",
        "page,          +1",
        "page,          one",
        "page,          1000000000",
        "page,          99999999999999999999",
        "page,          ٣",
    })
    void malformedValuesAreNamed(String name, String value) {
        assertThat(errors(name, value)).containsExactly(name + ":invalid");
    }

    @Test
    void theLowestAmountIsNotAboveTheHighest() {
        assertThat(errors("amount_min", "10.01", "amount_max", "10")).containsExactly("amount_min:invalid");
        assertThat(errors("amount_min", "10.00", "amount_max", "10")).isEmpty();
    }

    @Test
    void aReferenceIsCountedInCodePoints() {
        String face = "\ud83d\ude00";

        assertThat(errors("reference", face.repeat(50))).isEmpty();
        assertThat(errors("reference", face.repeat(51))).containsExactly("reference:invalid");
        assertThat(errors("name_document", "x".repeat(256))).containsExactly("name_document:invalid");
    }

    @Test
    void anUnknownParameterIsAnError() {
        assertThat(errors("nam", "zoe")).containsExactly("nam:unknown");
        assertThat(errors("Status", "paid")).containsExactly("Status:unknown");
        assertThat(errors("status[$ne]", "paid")).containsExactly("status[$ne]:unknown");
        assertThat(errors("nam", "")).containsExactly("nam:unknown");
    }

    @Test
    void aParameterGivenTwiceIsAnError() {
        assertThat(errors("status", "paid", "status", "paid")).containsExactly("status:repeated");
        assertThat(errors("page", "", "page", "2")).containsExactly("page:repeated");
    }

    @Test
    void reversedDatesAreAnError() {
        assertThat(errors("initial_date", "2026-03-11", "final_date", "2026-03-10"))
                .containsExactly("initial_date:invalid");
    }

    @Test
    void allErrorsAreNamedAtOnce() {
        assertThat(errors("page", "0", "status", "x", "platform", "y", "other", "z"))
                .containsExactlyInAnyOrder("page:invalid", "status:invalid", "platform:invalid", "other:unknown");
    }
}
