/**
 * Retention and erasure: removes personal data from old transactions, and that of a person whom operators have named. One processor does it.
 * The archive uses its {@link dev.ligeiro.processor.retain.Pace}; no other room calls it. It calls MongoDB.
 */
@NullMarked
package dev.ligeiro.processor.retain;

import org.jspecify.annotations.NullMarked;
