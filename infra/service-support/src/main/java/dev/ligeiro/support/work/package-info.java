/** Many requests as few batches (the gateway's stores call in), batches of bounded bytes (the intakes call in), and work that is repeated. */
@NullMarked
package dev.ligeiro.support.work;

import org.jspecify.annotations.NullMarked;
