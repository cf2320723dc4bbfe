/**
 * Sends all transactions of a list as CSV. The HTTP server calls in; the reads are those of {@code list}, one for each few hundred rows.
 */
@NullMarked
package dev.ligeiro.gateway.api.list.export;

import org.jspecify.annotations.NullMarked;
