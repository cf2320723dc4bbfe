package dev.ligeiro.processor.due;

import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;

/** A transaction at which a processor must look, as the index has it. */
record DueRow(Instant due, TransactionId id) {}
