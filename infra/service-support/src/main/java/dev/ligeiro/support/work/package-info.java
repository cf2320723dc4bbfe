/** Many requests as few batches (the gateway's stores call in), and batches of bounded bytes (the intakes call in). */
@NullMarked
package dev.ligeiro.support.work;

import org.jspecify.annotations.NullMarked;
