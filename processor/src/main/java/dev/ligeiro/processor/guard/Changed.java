package dev.ligeiro.processor.guard;

import dev.ligeiro.transaction.CashoutGuard;
import java.time.Instant;

/** A guard, and MongoDB's time of its latest change. */
record Changed(CashoutGuard guard, Instant at) {}
