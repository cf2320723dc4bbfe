/**
 * The identifiers of the Pix rail as values: once made, a value is valid and in its one normal form.
 *
 * <p>The transaction and message packages hold them; the gateway makes them from requests and queries, the processor
 * from what the rail answers. Calls nothing of ours. A text that does not fit is an {@link IllegalArgumentException}
 * whose message says what was expected and never repeats the text, which is personal data; for the same reason
 * {@code toString} of a personal value hides it.
 */
@NullMarked
package dev.ligeiro.pix;

import org.jspecify.annotations.NullMarked;
