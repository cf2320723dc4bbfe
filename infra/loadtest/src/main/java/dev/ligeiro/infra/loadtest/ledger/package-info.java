/**
 * What was sent and what came back, one entry a call, kept until the audit. Filled by the generator and the receiver.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.ledger;

import org.jspecify.annotations.NullMarked;
