/**
 * Retention and erasure: removes personal data from old transactions, and that of a person whom operators have named. One processor does it.
 * Called by nobody; calls MongoDB.
 */
@NullMarked
package dev.ligeiro.processor.retain;

import org.jspecify.annotations.NullMarked;
