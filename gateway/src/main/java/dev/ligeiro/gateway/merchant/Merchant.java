package dev.ligeiro.gateway.merchant;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * A company that posts transactions.
 *
 * @param number small and unique: what its tenant keys are made of
 * @param city where a BR Code says it is
 */
@Document("merchants")
record Merchant(
        @Id UUID id,
        long number,
        String name,
        String city,
        Map<Operation, StoredFee> fees,
        List<Platform> platforms,
        Instant createdAt) {

    /** A sales channel of a merchant in one mode. */
    record Platform(UUID id, String name, Mode mode) {}

    /** A commission in plain numbers. */
    record StoredFee(long millionths, long fixedCents) {

        static StoredFee of(Commission commission) {
            return new StoredFee(commission.millionths(), commission.fixed().cents());
        }

        Commission commission() {
            return new Commission(millionths, new Amount(fixedCents));
        }
    }
}
