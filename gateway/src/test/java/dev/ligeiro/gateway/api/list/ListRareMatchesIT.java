package dev.ligeiro.gateway.api.list;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A day of 3,000 transactions of Anas and 3,000 of Limas: too many for one query, so the day is counted in several
 * time buckets. Three payers of one hour are named Ana Lima.
 */
@ExtendWith(SharedGateway.class)
class ListRareMatchesIT {

    private static final Instant MIDNIGHT = Instant.parse("2026-03-10T00:00:00Z");
    private static final int EACH = 3_000;
    private static final long DISTANCE_MS = 86_400_000 / EACH;
    private static final String ANA_LIMA =
            ALL + "?name_document=ana+lima&initial_date=2026-03-09&final_date=2026-03-11";

    private static List<Transaction> day(Transaction like) {
        List<Transaction> day = new ArrayList<>();
        for (int i = 0; i < EACH; i++) {
            Instant at = MIDNIGHT.plusMillis(i * DISTANCE_MS);
            day.add(named("Ana Souza", at, like));
            day.add(named("Rui Lima", at.plusMillis(1), like));
        }
        for (int i = 0; i < 3; i++) {
            day.add(named("Ana Lima", MIDNIGHT.plusSeconds(3_600 + i * 60), like));
        }
        return day;
    }

    private static Transaction named(String name, Instant at, Transaction like) {
        return Transactions.like(like)
                .createdAs(TransactionId.at(at))
                .accepted(true)
                .reference(null)
                .payer(new Party(name, "any@example.com", "+5511987654321", "52998224725"))
                .build();
    }

    @Test
    void onlyTheBucketsWithMatchesAreRead(RunningGateway gateway, TestMerchant merchant) {
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            stored.insert(day(stored.find(merchant.created(merchant.cashin()))));
            merchant.api().get(ANA_LIMA).expect(200);
            try (ProfiledQueries profiled = new ProfiledQueries(gateway.database())) {
                assertThat(merchant.api().get(ANA_LIMA).expect(200).json().path("transactions"))
                        .hasSize(3);

                // of the whole day 6,262
                assertThat(profiled.all().stream()
                                .mapToInt(query -> query.getInteger("keysExamined"))
                                .sum())
                        .isLessThan(2_000);
            }
        }
    }
}
