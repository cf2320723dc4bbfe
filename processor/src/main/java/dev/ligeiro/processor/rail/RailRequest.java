package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.transaction.RefundId;
import org.jspecify.annotations.Nullable;

/**
 * A call to make to a transaction's rail.
 *
 * @param refund the refund that the call is for; null for the transaction itself
 * @param submission which submission is made or asked for, from 1
 * @param sequence the sequence number of the latest announced entry of the transaction's history
 */
public record RailRequest(RailCallKind call, @Nullable RefundId refund, int submission, int sequence) {}
