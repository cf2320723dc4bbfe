package dev.ligeiro.gateway.operator.search;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.gateway.operator.admin.NamedMerchant;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.UUID;

/** The members that every list of transactions has, in responses of the admin API. */
public record FoundTransactionJson(
        UUID id,
        @JsonUnwrapped NamedMerchant merchant,
        Mode mode,
        String operation,
        String status,
        String amount,
        String e2eId,
        Instant createdAt) {

    public static FoundTransactionJson of(FoundTransaction found, NamedMerchant merchant) {
        return new FoundTransactionJson(
                found.id(),
                merchant,
                found.tenant().mode(),
                found.operation(),
                found.status(),
                found.amount().toString(),
                found.endToEndId(),
                new TransactionId(found.id()).createdAt());
    }
}
