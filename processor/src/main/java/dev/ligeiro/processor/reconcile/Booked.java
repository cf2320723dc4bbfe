package dev.ligeiro.processor.reconcile;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A posting that a rail's list can have.
 *
 * @param cents what it adds to the rail's account
 * @param listedIn the hour of the list that has it; null until it is found there
 * @param isReconciled whether it was found, or is part of a break
 */
record Booked(
        String id,
        Tenant tenant,
        TransactionId transactionId,
        String railId,
        long cents,
        Instant at,
        @Nullable Instant listedIn,
        boolean isReconciled) {}
