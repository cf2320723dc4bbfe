/**
 * Retention and erasure: removes personal data from old transactions, and that of a person whom operators have named. One processor does it.
 * The archive has the same pace, else it is called by nobody; calls MongoDB.
 */
@NullMarked
package dev.ligeiro.processor.retain;

import org.jspecify.annotations.NullMarked;
