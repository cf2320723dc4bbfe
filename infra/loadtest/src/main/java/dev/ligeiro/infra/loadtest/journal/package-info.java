/**
 * The record of every call that the load test makes, and of every fault. Written by the generator and the receiver, read by the audit.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.journal;

import org.jspecify.annotations.NullMarked;
