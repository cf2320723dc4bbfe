package dev.ligeiro.processor.guard;

import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of a guard.
 *
 * @param guard null if it cannot be read
 * @param isOpen whether cashouts of the tenant have been opened
 * @param at MongoDB's time of the change
 */
record Changed(Tenant tenant, @Nullable CashoutGuard guard, boolean isOpen, Instant at) {}
