/**
 * A bank on real sockets to try live mode with: it receives and refunds over the BACEN Pix API and sends the way Efí does. Started by
 * {@code infra/run} and by tests; of Ligeiro it uses only the rules of Pix keys, tax ids and end-to-end ids.
 */
@NullMarked
package dev.ligeiro.infra.bank;

import org.jspecify.annotations.NullMarked;
