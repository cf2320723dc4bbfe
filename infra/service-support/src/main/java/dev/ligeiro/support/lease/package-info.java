/** Leases in MongoDB, by which one process at a time does a piece of work. The services' leased work calls in. */
@NullMarked
package dev.ligeiro.support.lease;

import org.jspecify.annotations.NullMarked;
