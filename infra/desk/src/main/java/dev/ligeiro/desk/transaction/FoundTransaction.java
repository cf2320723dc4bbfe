package dev.ligeiro.desk.transaction;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.UUID;

/**
 * What every list of transactions shows of one, without its personal data.
 *
 * @param e2eId the rail's own once it has named one; {@code ""} before, in live mode
 */
public record FoundTransaction(
        @JsonIgnore Tenant tenant,
        UUID id,
        @JsonUnwrapped NamedMerchant merchant,
        Mode mode,
        Operation operation,
        Status status,
        Amount amount,
        String e2eId,
        Instant createdAt) {

    /** Of a merchant that is not looked up yet. */
    public static FoundTransaction of(Transaction transaction) {
        return of(transaction, NamedMerchant.NONE);
    }

    public static FoundTransaction of(Transaction transaction, NamedMerchant merchant) {
        return new FoundTransaction(
                transaction.tenant(),
                transaction.id().value(),
                merchant,
                transaction.tenant().mode(),
                transaction.operation(),
                transaction.status(),
                transaction.terms().amount(),
                transaction.endToEndId(),
                transaction.id().createdAt());
    }

    public FoundTransaction with(NamedMerchant of) {
        return new FoundTransaction(tenant, id, of, mode, operation, status, amount, e2eId, createdAt);
    }
}
