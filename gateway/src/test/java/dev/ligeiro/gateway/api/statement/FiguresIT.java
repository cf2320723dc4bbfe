package dev.ligeiro.gateway.api.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class FiguresIT extends WithGateway {

    private static final ZoneId ZONE = ZoneId.of("America/Sao_Paulo");

    @Test
    void withoutBooksNothingIsKnownOfPayments() {
        merchant.created(merchant.cashin());

        JsonNode today = counted("").at("/days/29");

        assertThat(today.toString())
                .isEqualTo(
                        "{\"date\":\"" + today()
                                + "\",\"created\":1,\"cashins_paid\":null,\"cashins_paid_amount\":null,"
                                + "\"cashouts_paid\":null,\"cashouts_paid_amount\":null,\"median_seconds_to_pay\":null,\"p99_seconds_to_pay\":null}");
    }

    @Test
    void theFiguresOfADayAndTheirTotal() {
        merchant.created(merchant.cashin());
        merchant.created(merchant.cashin());
        Instant now = gateway.clock().instant();
        stored.post(merchant, now, "cashin", 10_000, -151);
        stored.post(merchant, now, "refund", -10_000, 0);
        stored.post(merchant, today().minusDays(1).atStartOfDay(ZONE).toInstant(), "cashin", 5_000, -151);
        stored.post(merchant, today().minusDays(2).atStartOfDay(ZONE).toInstant(), "cashin", 1, 0);

        JsonNode figures = counted("?days=2");

        assertThat(figures.path("days")).hasSize(2);
        assertThat(figures.at("/days/0/created").longValue()).isZero();
        assertThat(figures.at("/days/0/cashins_paid_amount").stringValue()).isEqualTo("50.00");
        assertThat(figures.path("total").toString())
                .isEqualTo(
                        """
                        {"created":2,"cashins_paid":2,"cashins_paid_amount":"150.00","cashouts_paid":0,\
                        "cashouts_paid_amount":"0.00","median_seconds_to_pay":38,"p99_seconds_to_pay":38}""");
        assertThat(figures.path("denials")).isEmpty();
    }

    @Test
    void denialsAreCountedByTheirReasons() {
        for (String reason : List.of("insufficient_funds", "rejected_by_rail", "rejected_by_rail")) {
            stored.append(
                    merchant.created(merchant.cashin()),
                    new Entry.StatusChanged(Status.DENIED, Instant.now(), Source.RAIL, reason, null, null));
        }
        merchant.created(merchant.cashin());

        assertThat(counted("").path("denials").toString())
                .isEqualTo("[{\"reason\":\"rejected_by_rail\",\"count\":2},"
                        + "{\"reason\":\"insufficient_funds\",\"count\":1}]");
    }

    @Test
    void aTransactionThatIsCreatedLaterIsCounted() {
        assertThat(counted("").at("/total/created").longValue()).isZero();

        merchant.created(merchant.cashin());

        await().until(() -> counted("").at("/total/created").longValue() == 1);
    }

    private LocalDate today() {
        return LocalDate.ofInstant(gateway.clock().instant(), ZONE);
    }

    /** A request does not wait long for the counts. */
    private JsonNode counted(String query) {
        return await().until(
                        () -> merchant.api()
                                .get("/api/v1/figures" + query)
                                .expect(200)
                                .json(),
                        figures -> figures.at("/total/created").isNumber());
    }
}
