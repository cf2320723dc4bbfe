package dev.ligeiro.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.time.LocalDate;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketVersionFieldsTest {

    @ParameterizedTest
    @CsvSource({
        "2026-03-10T00:00:00.000Z, 2026-03-10, m0",
        "2026-03-10T00:59:59.999Z, 2026-03-10, m59",
        "2026-03-10T14:30:15.123Z, 2026-03-10, m870",
        "2026-03-10T23:59:59.999Z, 2026-03-10, m1439",
        "2026-03-11T00:00:00.000Z, 2026-03-11, m0",
        "1970-01-01T00:00:00.000Z, 1970-01-01, m0",
    })
    void aTransactionBelongsToTheDayAndMinuteOfItsCreationInUtc(Instant createdAt, LocalDate day, String minute) {
        TransactionId id = TransactionId.at(createdAt);

        assertThat(BucketVersionFields.epochDay(id)).isEqualTo(day.toEpochDay());
        assertThat(BucketVersionFields.minute(BucketVersionFields.minuteOfDay(id)))
                .isEqualTo(minute);
    }

    @Test
    void theIdHasTheTenantBeforeTheDaySoThatTheDaysOfATenantAreOneRange() {
        assertThat(BucketVersionFields.id(Transactions.TENANT, 20_522))
                .isEqualTo(BsonDocument.parse("{t: {$numberLong: '14'}, d: 20522}"));
    }
}
