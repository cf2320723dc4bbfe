/** Sends many concurrent requests as few batches. The stores of the gateway's hot paths call in. */
@NullMarked
package dev.ligeiro.support.batch;

import org.jspecify.annotations.NullMarked;
