package dev.ligeiro.gateway.api.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ligeiro.gateway.api.statement.StatementQuery.Place;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriComponentsBuilder;

class StatementQueryTest {

    private static final ZoneId ZONE = ZoneId.of("America/Sao_Paulo");
    private static final LocalDate TODAY = LocalDate.parse("2026-03-10");

    @ParameterizedTest(name = "{0}: {1} to {2}")
    @CsvSource({
        "initial_date=2026-03-01&final_date=2026-03-02, 2026-03-01T03:00:00Z, 2026-03-03T03:00:00Z",
        "initial_date=2026-03-01, 2026-03-01T03:00:00Z, 2026-03-02T03:00:00Z",
        "final_date=2026-03-01, 2026-03-01T03:00:00Z, 2026-03-02T03:00:00Z",
        "final_date=&initial_date=, 2026-03-10T03:00:00Z, 2026-03-11T03:00:00Z",
        "initial_date=2025-03-10&final_date=2026-03-10, 2025-03-10T03:00:00Z, 2026-03-11T03:00:00Z",
    })
    void daysAreInTheZoneAndOneStandsForBoth(String query, Instant from, Instant before) {
        assertThat(parse(query)).isEqualTo(new StatementQuery(from, before, null));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "initial_date=2026-03-02&final_date=2026-03-01; initial_date: expected a date that is not after final_date",
                "final_date=2026-03-11; final_date: expected a date that is not in the future",
                "initial_date=2026-03-11; initial_date: expected a date that is not in the future",
                "initial_date=2025-03-09&final_date=2026-03-10; initial_date: expected at most 366 days up to final_date",
                "initial_date=2026-02-30; initial_date: expected a date of the form YYYY-MM-DD, from 1970 on",
                "initial_date=10/03/2026; initial_date: expected a date of the form YYYY-MM-DD, from 1970 on",
                "page=2; page: expected one of [after, final_date, initial_date]",
                "after=cur_AAAA; after: expected the next_cursor of a page of these days",
                "final_date=2026-03-01&final_date=2026-03-01; final_date: expected at most once",
            })
    void aProblemNamesTheParameter(String query, String expected) {
        assertThat(errors(query)).containsExactly(expected);
    }

    @Test
    void aCursorIsThePlaceItWasMadeOf() {
        Place cursor = new Place(Instant.parse("2026-03-10T12:00:00.123Z"), "evt_0123_2", -12_345);

        assertThat(parse("after=" + cursor.cursor()).after()).isEqualTo(cursor);
        assertThat(errors("initial_date=2026-03-09&after=" + cursor.cursor()))
                .containsExactly("after: expected the next_cursor of a page of these days");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "cur_", "cur_AAAAAAAAAAA", "cur_AAAAAAAAAAAAAAAAAAAAAA", "cur_!", "CUR_AAAA", "%00"})
    void anotherTextIsNoCursor(String text) {
        assertThat(errors("after=" + text)).hasSize(1);
    }

    private static StatementQuery parse(String query) {
        return StatementQuery.parse(parameters(query), true, TODAY, ZONE);
    }

    private static List<String> errors(String query) {
        Problem problem = catchThrowableOfType(Problem.class, () -> parse(query));
        return problem.errors().stream().map(StatementQueryTest::text).toList();
    }

    private static String text(FieldError error) {
        return error.field() + ": " + error.message();
    }

    private static MultiValueMap<String, String> parameters(String query) {
        return UriComponentsBuilder.fromUriString("/?" + query).build().getQueryParams();
    }
}
