/**
 * Reads payers' claims (MED) where a rail has them, and sends the merchants' defences. Called by time; it stores what a rail says and reports
 * it to the transaction by a command, so that the transaction's history has one writer.
 */
@NullMarked
package dev.ligeiro.processor.dispute;

import org.jspecify.annotations.NullMarked;
